"""The entry: what stands above every page, then the page that was asked for."""

from playground.ui import navigation

page = navigation.begin()
try:
    page.run()
finally:
    navigation.end()
