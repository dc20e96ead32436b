#!/usr/bin/env node
// A file that is there before the first build: npm links only commands whose files exist.
import '../dist/cli/main.js';
