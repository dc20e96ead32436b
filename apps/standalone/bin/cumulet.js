#!/usr/bin/env node
// Exists before the first build: npm links only commands whose files exist.
import '../dist/cli/main.js';
