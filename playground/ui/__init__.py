"""What all pages share: charts, tables, fields, settings, languages, uploads, progress."""
