import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../scripts/tools/paths.mjs'
import type { ProofResult } from './proof'

/** How one of the two builds differs from the other. */
interface BuildEnvironment {
  folder: string
  umask: string
  userId: number
  variables: Record<string, string>
}

const isRoot = process.getuid?.() === 0

/** The user `nobody`. Only root can build as another user. */
const otherUserId = 65534

const environments: BuildEnvironment[] = [
  { folder: 'first', umask: '022', userId: process.getuid?.() ?? 0, variables: { TZ: 'UTC', LC_ALL: 'C' } },
  {
    folder: 'a longer path/second',
    umask: '077',
    userId: isRoot ? otherUserId : (process.getuid?.() ?? 0),
    variables: { TZ: 'Pacific/Chatham', LC_ALL: 'C.UTF-8', LANG: 'tr_TR.UTF-8', USER: 'somebody' },
  },
]

const run = (command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number } = {}) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.slice(-3000)}`))
    })
  })

/** Clones a commit, builds the packages and returns their hashes. */
const buildIn = async (parent: string, commit: string, { folder, umask, userId, variables }: BuildEnvironment) => {
  const home = join(parent, `home-${userId}-${umask}`)
  mkdirSync(home)
  const clone = join(parent, folder)
  await run('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone })
  const npmSettings = join(home, 'npmrc')
  writeFileSync(npmSettings, '')
  for (const path of [home, npmSettings]) chownSync(path, userId, userId)
  if (userId !== process.getuid?.())
    await run('chown', ['-R', `${userId}:${userId}`, join(parent, folder.split('/')[0]!)])
  const env = {
    ...process.env,
    ...variables,
    HOME: home,
    npm_config_userconfig: npmSettings,
    npm_config_cache: join(home, 'cache'),
  }
  const script = `umask ${umask} && exec node scripts/package.mjs`
  await run('sh', ['-c', script], { cwd: clone, env, ...(isRoot ? { uid: userId } : {}) })
  const files = readdirSync(join(clone, 'dist')).filter((name) => /\.(tar\.gz|deb)$/.test(name))
  return new Map(
    files.map((name) => {
      const content = readFileSync(join(clone, 'dist', name))
      return [name, { bytes: content.length, hash: createHash('sha256').update(content).digest('hex') }]
    }),
  )
}

/** Builds the packages in two fresh clones that differ in path, time, user, umask and locale, and compares their bytes. */
export const proveReproducibleBuild = async (): Promise<ProofResult> => {
  // The same commit for both: a build takes minutes, in which the branch may move.
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const parent = mkdtempSync(join(tmpdir(), 'trunkline-build-'))
  chmodSync(parent, 0o755)
  try {
    const [first, second] = [
      await buildIn(parent, commit, environments[0]!),
      await buildIn(parent, commit, environments[1]!),
    ]
    const failures = [...first].flatMap(([name, { hash }]) =>
      second.get(name)?.hash === hash ? [] : [`${name} differs: ${hash} and ${second.get(name)?.hash}`],
    )
    if (first.size < 2) failures.push(`only ${first.size} packages were built`)
    const figures = [...first].map(
      ([name, { bytes, hash }]) => `${name} (${bytes} bytes, SHA-256 ${hash.slice(0, 16)}…)`,
    )
    return { failures, figures: `built twice: ${figures.join(' and ')}` }
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}
