"""Objects in S3, Google Cloud Storage and Azure, and files on web servers, by obstore. Called by `data.sources`."""
