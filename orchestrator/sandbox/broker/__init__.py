"""The one process with rights on the container engine, and its client: everything else runs without.

Theory of operation. Whoever may speak to an engine is root on its machine, and a verdict needs an engine. The broker
makes containers of the frozen posture and nothing else: a client names an environment and limits within those of the
broker's own policy, never a command, a mount or an image of its own. One connection is one container: the answer
carries the descriptor of the container's standard streams, and when the connection ends, for whatever reason, the
broker removes the container.
"""
