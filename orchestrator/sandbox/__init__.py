"""From policy to container: engine, pool, wire, posture, set-up. The only room that speaks to Docker."""
