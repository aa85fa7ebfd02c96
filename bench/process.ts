import { existsSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { startServer, type TestServer } from '../scripts/launch/server'
import { sendRequest } from './http'
import { median } from './statistics'

/** A figure of the server process. With BENCH_BASELINE, `baselineValue` is that of another build. */
export interface ProcessMeasurement {
  name: string
  unit: 'ms' | 'MiB'
  value: number
  baselineValue: number | undefined
  limit: number
}

const startCount = 7
const settleMs = 5000
const connectionCount = 1000
const requestsPerConnection = 10

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads the resident memory of a process in MiB: `VmRSS` is the current one, `VmHWM` the largest so far. Linux only. */
const readMemoryMib = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const measureStartMs = async (server: TestServer): Promise<number> => {
  await server.stop()
  const startedAt = performance.now()
  await server.start()
  return performance.now() - startedAt
}

/** Sends requests on many connections at the same time. */
const sendConcurrentRequests = async (server: TestServer): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionCount })
  const sendSeries = async () => {
    for (let index = 0; index < requestsPerConnection; index += 1)
      await sendRequest(server.url, {
        path: index % 2 === 0 ? '/v1/Accounts' : '/v1/ServiceProviders',
        token: server.apiKey,
        agent,
      })
  }
  await Promise.all(Array.from({ length: connectionCount }, sendSeries))
  agent.destroy()
}

const measureMemory = async (server: TestServer) => {
  await sleep(settleMs)
  const idleMib = readMemoryMib(server.pid(), 'VmRSS')
  await sendConcurrentRequests(server)
  return { idleMib, peakMib: readMemoryMib(server.pid(), 'VmHWM') }
}

/** Measures the start and the memory of this build and, if BENCH_BASELINE is the folder of another one, of that in turn. */
export const measureProcess = async (): Promise<ProcessMeasurement[]> => {
  const { BENCH_BASELINE: baselineFolder } = process.env
  const servers: TestServer[] = []
  try {
    for (const folder of [undefined, ...(baselineFolder ? [baselineFolder] : [])])
      servers.push(await startServer({ DISABLE_RATE_LIMITS: 'true', LOG_LEVEL: 'warn' }, folder))
    const startTimes = servers.map((): number[] => [])
    for (let start = 0; start < startCount; start += 1)
      for (const [index, server] of servers.entries()) startTimes[index]!.push(await measureStartMs(server))
    const [startMs, baselineStartMs] = startTimes.map(median)
    const start = { name: 'start until the first response', unit: 'ms' as const, limit: 500 }
    const measurements: ProcessMeasurement[] = [{ ...start, value: startMs!, baselineValue: baselineStartMs }]
    if (!existsSync('/proc/self/status')) return measurements
    const memory = []
    for (const server of servers) memory.push(await measureMemory(server))
    const [current, baseline] = memory
    return [
      ...measurements,
      {
        name: 'memory when idle',
        unit: 'MiB',
        value: current!.idleMib,
        baselineValue: baseline?.idleMib,
        limit: 110,
      },
      {
        name: `largest memory with ${connectionCount} concurrent requests`,
        unit: 'MiB',
        value: current!.peakMib,
        baselineValue: baseline?.peakMib,
        limit: 200,
      },
    ]
  } finally {
    for (const server of servers) await server.dispose()
  }
}
