#!/bin/sh
# Installs the program fathom from a release: downloads the archive for this machine, checks its
# SHA-256, and copies the program. It never needs root.
#
#   sh install.sh                   install to ~/.local/bin
#   sh install.sh --dir DIR         install to DIR (or set FATHOM_INSTALL_DIR)
#   sh install.sh --version 1.2.3   install this version (or set FATHOM_VERSION)
#   sh install.sh --help            print this
#
# FATHOM_DOWNLOAD_BASE is where releases are: https://..., file:///..., or a folder. It has a folder for
# each version, v1.2.3, with the archives and their .sha256 files.
set -eu

# `scripts/release-check` compares both with Cargo.toml.
VERSION=0.1.0
REPOSITORY=https://fathom.example/fathom

fail() {
  echo "fathom installer: $*" >&2
  exit 1
}

usage() {
  cat <<'HELP'
Install the program fathom from a release. Root is not needed.

  --dir DIR        Install to DIR [default: $FATHOM_INSTALL_DIR, or ~/.local/bin]
  --version V      Install version V [default: $FATHOM_VERSION, or the version of this script]
  --help           Print this

FATHOM_DOWNLOAD_BASE  Download from here: https://..., file:///..., or a folder
HELP
}

# The name of this machine in the names of archives.
target() {
  system=$(uname -s)
  [ "$system" = Linux ] || fail "Fathom runs on Linux, and this is $system."
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) echo x86_64-unknown-linux-musl ;;
    aarch64 | arm64) echo aarch64-unknown-linux-musl ;;
    *) fail "there is no archive for $machine. Build Fathom with Rust: cargo install --locked fathom-cli" ;;
  esac
}

# fetch FROM TO
fetch() {
  case $1 in
    https://* | http://127.0.0.1:*)
      if command -v curl >/dev/null 2>&1; then
        curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
      elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$2" "$1"
      else
        fail "curl and wget are both missing. Install one of them."
      fi || fail "$1 cannot be downloaded. Check the version and the network."
      ;;
    *://*)
      case $1 in
        file://*) fetch "${1#file://}" "$2" ;;
        *) fail "$1: only https://, file:// and folders are supported." ;;
      esac
      ;;
    *)
      [ -f "$1" ] || fail "$1 does not exist. Check the version and FATHOM_DOWNLOAD_BASE."
      cp "$1" "$2"
      ;;
  esac
}

# sha256 FILE
sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail "sha256sum is missing, so the download cannot be checked. Install coreutils."
  fi
}

main() {
  version=${FATHOM_VERSION:-$VERSION}
  folder=${FATHOM_INSTALL_DIR:-}
  while [ $# -gt 0 ]; do
    case $1 in
      --dir | --version)
        [ $# -gt 1 ] || fail "$1 needs a value; see --help."
        case $1 in --dir) folder=$2 ;; *) version=$2 ;; esac
        shift 2
        ;;
      --help | -h)
        usage
        exit 0
        ;;
      *) fail "unknown option $1; see --help." ;;
    esac
  done
  version=${version#v}
  case $version in
    '' | *[!0-9A-Za-z.+-]*) fail "\"$version\" is not a version such as 1.2.3." ;;
  esac
  if [ -z "$folder" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set. Choose a folder with --dir."
    folder=$HOME/.local/bin
  fi

  base=${FATHOM_DOWNLOAD_BASE:-$REPOSITORY/releases/download}
  name=fathom-v$version-$(target)
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 130' INT TERM

  echo "Downloading fathom $version for ${name#"fathom-v$version-"}"
  fetch "$base/v$version/$name.tar.gz" "$scratch/archive.tar.gz"
  fetch "$base/v$version/$name.tar.gz.sha256" "$scratch/sha256"
  expected=$(cut -d ' ' -f 1 "$scratch/sha256")
  [ -n "$expected" ] || fail "$name.tar.gz.sha256 is empty, so the download cannot be checked."
  found=$(sha256 "$scratch/archive.tar.gz")
  [ "$found" = "$expected" ] ||
    fail "the archive is damaged: its SHA-256 is $found, expected $expected. Nothing was installed."
  # This file alone: nothing else of the archive is written.
  tar -xzf "$scratch/archive.tar.gz" -C "$scratch" "$name/fathom" ||
    fail "the archive has no program $name/fathom. Nothing was installed."
  said=$("$scratch/$name/fathom" --version) ||
    fail "the program does not start on this machine. Nothing was installed."

  mkdir -p "$folder" 2>/dev/null || fail "$folder cannot be created. Choose another folder with --dir."
  # Beside its place first: a running fathom keeps its file, and there is never half a program.
  { cp "$scratch/$name/fathom" "$folder/.fathom.$$" && chmod 755 "$folder/.fathom.$$"; } 2>/dev/null ||
    fail "$folder is not writable. Choose another folder with --dir."
  mv -f "$folder/.fathom.$$" "$folder/fathom"
  echo "Installed $said to $folder/fathom"
  case ":${PATH:-}:" in
    *":$folder:"*) ;;
    *) echo "Add $folder to your PATH to run it as \`fathom\`." ;;
  esac
  echo "Completions: fathom completions bash|zsh|fish. Man page: fathom man."
}

main "$@"
