"""Jobs on several machines, over dask.distributed. Wired by bootstrap; nothing here is imported without `--cluster`.

Theory of operation. A cluster is one more implementation of the `Sandbox` port. A task is one job of a container: JSON
and Arrow bytes in, what the container wrote out, unread. So partitioning, checks, audit, registry and the files stay
with the coordinator as they are on one machine, and whatever a worker answers meets the same disposable process as
what a container on this machine answers. A task depends on nothing but its bytes, and can be run again anywhere.
"""
