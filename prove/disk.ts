import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkIntegrity } from '../scripts/launch/database'
import { startServer, type TestServer } from '../scripts/launch/server'
import { createClient } from './client'
import { createLoadFixture, Load } from './load'
import type { ProofResult } from './proof'
import type { Random } from './random'

const doctorScript = fileURLToPath(new URL('../server/dist/doctor.js', import.meta.url))

interface CommandResult {
  code: number | null
  output: string
}

const run = (command: string, args: string[], env = process.env): Promise<CommandResult> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', (error) => resolve({ code: 127, output: String(error) }))
    child.once('close', (code) => resolve({ code, output }))
  })

const runOk = async (command: string, ...args: string[]) => {
  const { code, output } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output.trim()}`)
}

const runDoctor = (dataDir: string) =>
  run(process.execPath, [doctorScript], { PATH: process.env.PATH, DATA_DIR: dataDir })

/** Fills the file system except for some bytes. */
const fillDisk = (folder: string, remainingBytes: number): void => {
  const chunk = Buffer.alloc(4096, 1)
  const file = openSync(join(folder, 'filler'), 'w')
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder)
      if (bavail * bsize <= remainingBytes) return
      // Large pieces first, so that this takes few system calls.
      const size = bavail * bsize - remainingBytes > 4 << 20 ? 1 << 20 : chunk.length
      writeSync(file, size === chunk.length ? chunk : Buffer.alloc(size, 1))
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

/** Waits until a condition is met; otherwise reports the problem. */
const waitFor = async (
  problems: string[],
  problem: string,
  seconds: number,
  isMet: () => boolean | Promise<boolean>,
): Promise<void> => {
  const deadlineMs = performance.now() + seconds * 1000
  while (performance.now() < deadlineMs) {
    if (await isMet()) return
    await sleep(50)
  }
  problems.push(`${problem} within ${seconds} s`)
}

interface Scene {
  server: TestServer
  load: Load
  dataDir: string
  problems: string[]
  setUnavailable: (mayBeUnavailable: boolean) => void
}

const startScene = async (dataDir: string): Promise<Scene & { dispose: () => Promise<void> }> => {
  const server = await startServer({ DATA_DIR: dataDir, DISABLE_RATE_LIMITS: 'true', LOG_LEVEL: 'silent' })
  const client = createClient(server.url)
  let mayBeUnavailable = false
  const load = new Load(client.send, await createLoadFixture(server.url, server.apiKey), {
    mayBeUnavailable: () => mayBeUnavailable,
    mayLoseResponse: () => false,
  })
  return {
    server,
    load,
    dataDir,
    problems: [],
    setUnavailable: (isUnavailable) => (mayBeUnavailable = isUnavailable),
    dispose: async () => {
      client.close()
      await server.dispose()
    },
  }
}

const readStatus = async (url: string, path: string) => {
  const response = await fetch(url + path)
  return { status: response.status, text: await response.text() }
}

/** While nothing can be stored: probes, reads and the diagnosis have to say so. */
const checkFailureReports = async ({ server, problems, dataDir }: Scene, label: string): Promise<void> => {
  for (const path of ['/livez', '/healthz']) {
    const { status } = await readStatus(server.url, path)
    if (status !== 200) problems.push(`${label}: ${path} answers ${status}`)
  }
  await waitFor(problems, `${label}: /readyz does not fail`, 5, async () => {
    const { status, text } = await readStatus(server.url, '/readyz')
    return status === 503 && /"(database|storage)":"failed"/.test(text)
  })
  const { code, output } = await runDoctor(dataDir)
  if (code !== 1 || !/disk is full|is read-only/.test(output))
    problems.push(`${label}: doctor exits with ${code}: ${output}`)
}

/** Fills the disk during writes, checks the responses, frees the space, and checks that the server recovers. */
const runFullDiskRound = async (scene: Scene, label: string, random: Random): Promise<void> => {
  const { server, load, dataDir, problems } = scene
  load.start()
  await sleep(200 + random.integer(500))
  scene.setUnavailable(true)
  const refusedBefore = load.counts.unavailable
  fillDisk(dataDir, random.pick([0, 0, 8192, 65_536]))
  await waitFor(problems, `${label}: no write is refused`, 30, () => load.counts.unavailable > refusedBefore + 10)
  await checkFailureReports(scene, label)
  rmSync(join(dataDir, 'filler'))
  const acknowledgedBefore = load.counts.acknowledged
  await waitFor(problems, `${label}: no write succeeds after space was freed`, 5, async () => {
    const { status } = await readStatus(server.url, '/readyz')
    return status === 200 && load.counts.acknowledged > acknowledgedBefore + 10
  })
  scene.setUnavailable(false)
  await sleep(200)
  await load.stop()
  await load.checkStoredWrites()
}

const proveFullDisk = async (folder: string, random: Random, rounds: number) => {
  await runOk('mount', '-t', 'tmpfs', '-o', 'size=48m,mode=0700', 'tmpfs', folder)
  try {
    const scene = await startScene(folder)
    try {
      for (let round = 1; round <= rounds; round += 1) await runFullDiskRound(scene, `full disk ${round}`, random)
      await scene.server.kill()
      await scene.server.start()
      await checkStoredData(scene)
      return scene
    } finally {
      await scene.dispose()
    }
  } finally {
    await runOk('umount', folder)
  }
}

/** Everything that was acknowledged must be in the file. */
const checkStoredData = async ({ load, dataDir, problems }: Scene): Promise<void> => {
  await load.checkStoredWrites()
  if (!checkIntegrity(join(dataDir, 'trunkline.sqlite'))) problems.push('the database file is damaged')
}

/**
 * A file system that the kernel makes read-only while the server runs, as it does after a disk error. No write is in
 * flight at that moment: ext4 may then report success for an fsync whose data it drops (it logs "potential data loss").
 */
const proveReadOnlyDisk = async (folder: string) => {
  const image = `${folder}.img`
  const mountImage = () => runOk('mount', '-o', 'loop', image, folder)
  await runOk('truncate', '-s', '64M', image)
  await runOk('mkfs.ext4', '-q', '-F', image)
  await mountImage()
  let isMounted = true
  try {
    const scene = await startScene(folder)
    try {
      scene.load.start()
      await sleep(500)
      await scene.load.stop()
      await runOk('sync', '--file-system', folder)
      await runOk('mount', '-o', 'remount,abort', folder)
      scene.setUnavailable(true)
      scene.load.start()
      const { counts } = scene.load
      const label = 'read-only disk'
      await waitFor(scene.problems, `${label}: no write is refused`, 10, () => counts.unavailable > 10)
      await checkFailureReports(scene, label)
      await scene.load.stop()
      await scene.load.checkStoredWrites()
      await scene.server.kill()
      await runOk('umount', folder)
      isMounted = false
      // Exit code 1 means that the file system was repaired.
      await run('fsck.ext4', ['-p', image])
      await mountImage()
      isMounted = true
      scene.setUnavailable(false)
      await scene.server.start()
      await checkStoredData(scene)
      return scene
    } finally {
      await scene.dispose()
    }
  } finally {
    if (isMounted) await runOk('umount', folder)
    rmSync(image, { force: true })
  }
}

const formatFigures = (label: string, { counts }: Load) =>
  `${label}: ${counts.requests} requests, ${counts.acknowledged} acknowledged writes, ${counts.unavailable} refused`

/**
 * Fills a small disk, and makes another one read-only, while clients write to an SQLite database on it. Needs root on
 * Linux, because it mounts file systems.
 */
export const proveFullAndReadOnlyDisk = async (random: Random, rounds: number): Promise<ProofResult> => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { failures: [], figures: '', skipped: 'because only root on Linux may mount file systems.' }
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-disk-'))
  try {
    const mountPoint = join(folder, 'data')
    mkdirSync(mountPoint)
    const probe = await run('mount', ['-t', 'tmpfs', 'tmpfs', mountPoint])
    if (probe.code !== 0)
      return { failures: [], figures: '', skipped: `because mount is not permitted: ${probe.output.trim()}` }
    await runOk('umount', mountPoint)
    const full = await proveFullDisk(mountPoint, random, rounds)
    const failures = [...full.problems, ...full.load.problems]
    const figures = [`${rounds} times full`, formatFigures('full', full.load)]
    // Containers often have no loop devices.
    const hasLoopDevices = (await run('losetup', ['--find'])).code === 0
    if (!hasLoopDevices) return { failures, figures: [...figures, 'read-only: skipped, no loop device'].join('; ') }
    const readOnly = await proveReadOnlyDisk(mountPoint)
    failures.push(...readOnly.problems, ...readOnly.load.problems)
    const sentences = new Set([...full.load.sentences, ...readOnly.load.sentences])
    for (const sentence of sentences) console.log(`  response: ${sentence}`)
    return { failures, figures: [...figures, formatFigures('read-only', readOnly.load)].join('; ') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
