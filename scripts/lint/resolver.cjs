const { existsSync, statSync } = require('node:fs')
const { dirname, join, resolve } = require('node:path')

const contract = '@trunkline/contract'
const root = dirname(dirname(__dirname))
const extensions = ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts']
/** @param {string} path */
const isFile = (path) => existsSync(path) && statSync(path).isFile()

// Resolves imports for the rules in import-rules.mjs: relative ones without an extension, and those of the contract by name.
exports.interfaceVersion = 2
/** @param {string} source @param {string} file */
exports.resolve = (source, file) => {
  let path
  if (source.startsWith('.')) path = resolve(dirname(file), source.replace(/\?.*$/, ''))
  else if (source.startsWith(`${contract}/`)) path = join(root, 'contract/src', source.slice(contract.length + 1))
  else return { found: false }
  const resolvedPath = extensions.map((extension) => path + extension).find(isFile)
  return resolvedPath ? { found: true, path: resolvedPath } : { found: false }
}
