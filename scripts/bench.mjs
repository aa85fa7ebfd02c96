import { spawnSync } from 'node:child_process'
import { root } from './tools/paths.mjs'
import { ensureInstalled } from './tools/install.mjs'
import { ensureChromium } from './tools/chromium.mjs'
