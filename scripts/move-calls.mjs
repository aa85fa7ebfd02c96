// `npm run move-calls -- --from database --to clickhouse`: copies calls and alerts from one store to another (docs/scaling.md).
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectPath } from './tools/paths.mjs'
import { prepareBuild } from './tools/prepare.mjs'

// As for `npm start`, DATA_DIR is relative to the operator's current folder.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)
await prepareBuild()
await import(pathToFileURL(projectPath('server', 'dist', 'move-calls.js')).href)
