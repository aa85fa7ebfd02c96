import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { createDebianPackage, createFolder, createTarball, packageName } from './package.mjs'
import { run } from './run.mjs'

/**
 * Runs a program that must succeed.
 * @param {string} command @param {string[]} args @param {Record<string, string>} [env]
 */
const runOrThrow = async (command, args, env) => {
  const { code, output } = await run(command, args, { captureOutput: true, ...(env ? { env } : {}) })
  assert.equal(code, 0, `${command} ${args.join(' ')}:\n${output}`)
  return output
}

/**
 * Starts the packaged server, and runs work with its URL and output.
 * @param {string} program @param {Record<string, string>} env @param {(url: string, output: string) => Promise<void>} work
 */
const withServer = async (program, env, work) => {
  const child = spawn(program, ['start'], {
    cwd: '/',
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise((resolve) => child.once('close', resolve))
  let output = ''
  /** @type {Promise<string>} */
  const ready = new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const url = /ready at (\S+)[\s\S]*\n\n/.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.stderr.on('data', (chunk) => (output += chunk))
    void exited.then(() => reject(new Error(`The packaged server stopped before it was ready:\n${output}`)))
  })
  try {
    await work(await ready, output)
  } finally {
    child.kill('SIGTERM')
    await exited
  }
  assert.equal(child.exitCode, 0, output)
}

/** @param {string} url @param {string} password */
const signIn = async (url, password) => {
  const response = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  assert.equal(response.status, 200, `sign-in: ${await response.clone().text()}`)
  const { token } = await response.json()
  const accounts = await fetch(`${url}/v1/Accounts`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(accounts.status, 200)
  assert.match(await (await fetch(url)).text(), /<title>/)
}

/** Starts, checks, backs up and restores the unpacked archive. @param {string} archive @param {string} folder */
const checkTarball = async (archive, folder) => {
  // A path with a space, because operators have such paths.
  const unpackFolder = join(folder, 'an empty folder')
  mkdirSync(unpackFolder)
  await runOrThrow('tar', ['-xzf', archive, '-C', unpackFolder])
  const program = join(unpackFolder, packageName, 'trunkline')
  const env = { DATA_DIR: join(unpackFolder, 'data'), LOG_LEVEL: 'warn' }
  const backup = join(unpackFolder, 'backup')
  let password = ''
  await withServer(program, env, async (url, output) => {
    password = /password (\S+)/.exec(output)?.[1] ?? ''
    await signIn(url, password)
    const { version } = await (await fetch(`${url}/healthz`)).json()
    assert.equal((await runOrThrow(program, ['version'])).trim(), version)
    assert.match(await runOrThrow(program, ['doctor'], env), / 0 failed/)
    await runOrThrow(program, ['backup', backup], env)
    const refused = await run(program, ['restore', backup], { captureOutput: true, env })
    assert.match(refused.output, /The server is running/)
  })
  rmSync(env.DATA_DIR, { recursive: true })
  await runOrThrow(program, ['restore', backup], env)
  await withServer(program, env, (url) => signIn(url, password))
}

/**
 * Installs the Debian package with dpkg into a folder of its own, upgrades and purges it.
 * @param {string} file @param {string} root
 */
const checkDebianPackage = async (file, root) => {
  const inRoot = (/** @type {string[]} */ ...path) => join(root, ...path)
  for (const path of ['etc', 'var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/log'])
    mkdirSync(inRoot(path), { recursive: true })
  writeFileSync(inRoot('var/lib/dpkg/status'), '')
  writeFileSync(inRoot('etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  writeFileSync(inRoot('etc/group'), 'root:x:0:\n')
  // The folder contains no Node, so dpkg does not find the package that this one depends on.
  const dpkg = [
    'dpkg',
    `--root=${root}`,
    '--force-script-chrootless',
    '--force-depends',
    '--force-confold',
    '--force-unsafe-io',
  ]
  const runDpkg = (/** @type {string[]} */ ...args) => runOrThrow('env', [...dpkg, ...args])
  await runDpkg('--install', file)
  const settings = inRoot('etc/trunkline/trunkline.env')
  const [, uid = ''] = /^trunkline:[^:]*:(\d+):/m.exec(readFileSync(inRoot('etc/passwd'), 'utf8')) ?? []
  const dataFolder = statSync(inRoot('var/lib/trunkline'))
  assert.deepEqual([dataFolder.uid, dataFolder.mode & 0o777], [Number(uid), 0o700])
  assert.equal(statSync(settings).mode & 0o777, 0o640)
  assert.ok(existsSync(inRoot('lib/systemd/system/trunkline.service')))
  assert.ok(existsSync(inRoot('usr/bin/trunkline')))
  const data = inRoot('var/lib/trunkline')
  const program = inRoot('usr/lib/trunkline/trunkline')
  await withServer(program, { TRUNKLINE_ENV_FILE: settings, DATA_DIR: data }, async (url, output) =>
    signIn(url, /password (\S+)/.exec(output)?.[1] ?? ''),
  )
  appendFileSync(settings, 'LOG_LEVEL=warn\n')
  await runDpkg('--install', file)
  assert.match(readFileSync(settings, 'utf8'), /^LOG_LEVEL=warn$/m)
  await runDpkg('--purge', 'trunkline')
  assert.ok(!existsSync(program) && !existsSync(settings))
  assert.ok(existsSync(join(data, 'trunkline.sqlite')), 'the data is kept')
}

/** Builds the packages, and uses each as an operator does. */
export const checkPackage = async () => {
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-package-'))
  try {
    const product = await createFolder(folder)
    await checkTarball(await createTarball(product), folder)
    if ((await run('dpkg-deb', ['--version'], { captureOutput: true })).code !== 0 || process.getuid?.() !== 0)
      console.log('The Debian package is not tested: that needs dpkg and root.')
    else await checkDebianPackage(await createDebianPackage(product), join(folder, 'root'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
