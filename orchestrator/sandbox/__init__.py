"""From policy to container: engine, pool, wire, posture, set-up. The only package that imports docker."""
