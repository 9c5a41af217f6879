#!/bin/sh
# Make sure of a Chromium and of fonts that have 汉字 and emoji, by whatever works here: what is
# already installed, the distribution's packages, or Playwright's own download.
set -eu

has_browser() {
    for name in chromium-headless-shell chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    python - <<'PYTHON'
import os, sys
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    sys.exit(not os.path.exists(playwright.chromium.executable_path))
PYTHON
}

has_fonts() {
    command -v fc-list >/dev/null 2>&1 || return 1
    [ -n "$(fc-list ':lang=zh' family | head -n 1)" ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

if has_browser && has_fonts; then
    exit 0
fi
if command -v apt-get >/dev/null 2>&1; then
    as_root apt-get update -qq || true
    has_fonts || as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        fontconfig fonts-noto-cjk fonts-noto-color-emoji >/dev/null || true
    for package in chromium-headless-shell chromium; do # the first takes less processor time
        has_browser || as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            "$package" >/dev/null || true
    done
fi
has_browser || python -m playwright install chromium
has_browser
