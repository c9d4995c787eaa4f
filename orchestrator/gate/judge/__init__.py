"""The judge: decodes what a candidate returned and runs the checks over it, in a disposable process."""
