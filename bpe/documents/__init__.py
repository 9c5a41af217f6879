"""From a file or a folder to texts: charsets, tables, Parquet, Office, archives, samples."""
