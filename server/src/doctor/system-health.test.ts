import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failed, passed, type Check, type Finding } from './checks'
import { createSystemHealth } from './system-health'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A check that counts its runs. */
const createCheck = (name: string, run: () => Promise<Finding[]>, writes = false) => {
  const check = vi.fn(run)
  return { name, writes, run: check } satisfies Check
}
const passes = () => Promise.resolve([passed('It works.')])
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

describe('system health', () => {
  it('runs each check once for requests within some seconds', async () => {
    const check = createCheck('Database', passes)
    const readHealth = createSystemHealth([check])
    const [first, second] = await Promise.all([readHealth(), readHealth()])
    await seconds(9)
    expect(await readHealth()).toBe(first)
    expect(second).toBe(first)
    expect(check.run).toHaveBeenCalledTimes(1)
    await seconds(2)
    expect((await readHealth()).checked_at).not.toBe(first.checked_at)
    expect(check.run).toHaveBeenCalledTimes(2)
  })

  it('gives a check the worst status of its findings', async () => {
    const findings = [passed('It answers.'), failed('It is full.', 'Empty it.')]
    const readHealth = createSystemHealth([createCheck('Disk', () => Promise.resolve(findings))])
    expect((await readHealth()).checks).toMatchObject([{ name: 'Disk', status: 'failed', findings }])
  })

  it('runs the checks concurrently, reports one that does not answer, and does not start it again while it runs', async () => {
    const silentCheck = createCheck('Mail server', () => new Promise(() => {}))
    const readHealth = createSystemHealth([silentCheck, createCheck('Database', passes)])
    const health = readHealth()
    await seconds(15)
    expect((await health).checks).toMatchObject([
      { status: 'failed', findings: [{ summary: 'No answer within 15 seconds.' }] },
      { status: 'passed' },
    ])
    await seconds(11)
    const nextHealth = readHealth()
    await seconds(15)
    expect((await nextHealth).checks[0]).toMatchObject({ status: 'failed' })
    expect(silentCheck.run).toHaveBeenCalledTimes(1)
  })

  it('repeats a check that writes rarely, unless it has failed', async () => {
    const writingCheck = createCheck('Buckets', passes, true)
    const readHealth = createSystemHealth([writingCheck])
    const first = await readHealth()
    await seconds(300)
    const later = await readHealth()
    expect(later.checks[0]?.checked_at).toBe(first.checked_at)
    expect(later.checked_at).not.toBe(first.checked_at)
    writingCheck.run.mockResolvedValue([failed('It refuses writes.', 'Allow them.')])
    await seconds(301)
    await readHealth()
    await seconds(11)
    await readHealth()
    expect(writingCheck.run).toHaveBeenCalledTimes(3)
  })

  it('reports a check that throws, without the passwords of URLs', async () => {
    const check = createCheck('Redis', () => Promise.reject(new Error('redis://user:hid@den@cache:6379 refused')))
    const [result] = (await createSystemHealth([check])()).checks
    expect(result?.findings).toMatchObject([{ status: 'failed', summary: 'redis://user:***@cache:6379 refused' }])
  })
})
