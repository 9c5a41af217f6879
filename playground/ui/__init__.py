"""Shared by all pages: charts, tables, fields, settings, languages, uploads, progress."""
