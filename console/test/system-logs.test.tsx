import { screen, waitFor, within } from '@testing-library/react'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCloudWatchLogs } from '../../server/src/adapters/system-logs/cloud-watch'
import { awsKey, startCloudWatch } from '../../server/test/doubles/cloud-watch'
import { useBackend } from './render'

const cloudWatch = await startCloudWatch(1000)
const systemLogs = createCloudWatchLogs({
  region: 'eu-west-1',
  clientOverrides: { endpoint: cloudWatch.endpoint, credentials: awsKey },
  limits: { lines: 400, characters: 1e6 },
})
const features = { systemLogGroups: ['features', 'sbc', 'gone'] }
const { render, testData, backend } = useBackend({ features: { ...defaultFeatureFlags, ...features } }, { systemLogs })

const longText = 'x'.repeat(50_000)
const startMs = new Date(2026, 10, 20, 10, 0, 0).getTime()

/** The time of each call by SID: a link opens the calls of that instant. */
const callTimes = new Map<string, number>()

const writeCall = (call_sid: string, sip_callid: string) => {
  const timestamp = startMs + callTimes.size
  callTimes.set(call_sid, timestamp)
  const { acme, providers } = testData()
  return backend().services.callHistory.writePoints('cdrs', [
    {
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: { call_sid, sip_callid, from: '16175550192', to: '18575550100', duration: 20 },
      timeNs: BigInt(timestamp) * 1_000_000n,
    },
  ])
}

beforeAll(async () => {
  const logLine = (offsetMs: number, level: number, msg: string, fields: object = {}) => ({
    timestamp: startMs + offsetMs,
    message: {
      level,
      time: startMs + offsetMs,
      pid: 1,
      callSid: 'c-1',
      accountSid: testData().acme.account,
      ...fields,
      msg,
    },
  })
  cloudWatch.addLines('features', [
    logLine(5, 30, 'new incoming call', { callId: 'one@host' }),
    logLine(40, 20, 'sending hook', { url: 'https://acme.example.com/call' }),
    logLine(900, 40, 'hook is slow', { ms: 860 }),
    logLine(1200, 50, 'hook failed', { err: { type: 'Error', message: 'ECONNREFUSED' } }),
    logLine(9000, 30, 'call ended'),
  ])
  cloudWatch.addLines(
    'features',
    Array.from({ length: 1200 }, (_, index) => ({
      timestamp: startMs + index,
      message: { level: 30, time: startMs + index, callSid: 'c-long', msg: index === 3 ? longText : `line ${index}` },
    })),
  )
  cloudWatch.addLines('sbc', [
    { timestamp: startMs, message: { level: 'info', callId: 'one@host', msg: 'INVITE sent' } },
  ])
  await writeCall('c-1', 'one@host')
  await writeCall('c-long', 'long@host')
  await writeCall('', 'failed@host')
})
afterAll(() => cloudWatch.stop())

const callPath = (callSid: string, sipCallId = '') => {
  const date = new Date(callTimes.get(callSid) ?? 0).toISOString()
  const openParameter = callSid || `${date} ${sipCallId}`
  return `/internal/recent-calls?${new URLSearchParams({ date, open: openParameter }).toString()}`
}

const openCall = async (callSid: string) => {
  const { user } = await render(callPath(callSid), { as: 'account', features })
  await user.click(await screen.findByRole('tab', { name: 'System logs' }))
  return user
}
const logLines = () => screen.getAllByRole('option').map((line) => line.textContent)
const lineDetails = () => within(screen.getByRole('region', { name: 'Selected line' }))

describe('the system logs of a call', () => {
  it('are requested when the tab opens, and list the lines', async () => {
    const requestCount = () => cloudWatch.requests.length
    const countBefore = requestCount()
    const { user } = await render(callPath('c-1'), { as: 'account', features })
    const tab = await screen.findByRole('tab', { name: 'System logs' })
    expect(requestCount()).toBe(countBefore)
    await user.click(tab)
    await screen.findByRole('listbox', { name: 'Log lines' })
    expect(logLines()).toEqual([
      '10:00:00.005 INFO new incoming call ',
      '10:00:00.040 DEBUG sending hook url=https://acme.example.com/call',
      '10:00:00.900 WARN hook is slow ms=860',
      '10:00:01.200 ERROR hook failed err={"type":"Error","message":"ECONNREFUSED"}',
      '10:00:09.000 INFO call ended ',
    ])
    expect(screen.getByText('5 lines')).toBeTruthy()
    expect(requestCount()).toBe(countBefore + 1)
  })

  it('show the selected line as JSON, by click or key, and copy it', async () => {
    const user = await openCall('c-1')
    await user.click(await screen.findByRole('option', { name: /hook failed/ }))
    expect(lineDetails().getByRole('heading', { name: '10:00:01.200 ERROR' })).toBeTruthy()
    expect(lineDetails().getByText('4 of 5')).toBeTruthy()
    expect(lineDetails().getByRole('region', { name: 'JSON' }).textContent).toContain(
      '"err": {\n    "type": "Error",\n    "message": "ECONNREFUSED"\n  }',
    )
    await user.click(lineDetails().getByRole('button', { name: 'Copy line' }))
    expect(JSON.parse(await navigator.clipboard.readText())).toMatchObject({ level: 50, msg: 'hook failed' })
    screen.getByRole('listbox', { name: 'Log lines' }).focus()
    await user.keyboard('{ArrowUp}')
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('hook is slow')
    await user.click(lineDetails().getByRole('button', { name: 'Next line' }))
    expect(lineDetails().getByText('hook failed')).toBeTruthy()
  })

  it('are searched in all fields, and filtered to warnings and errors', async () => {
    const user = await openCall('c-1')
    await user.type(await screen.findByRole('searchbox', { name: 'Search lines' }), 'HOOK')
    await screen.findByText('3 of 5 lines')
    expect(lineDetails().getByText('Select a line to read it.')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Warnings and errors only' }))
    expect(logLines()).toEqual([expect.stringContaining('slow'), expect.stringContaining('failed')])
    await user.type(screen.getByRole('searchbox', { name: 'Search lines' }), ' is nowhere')
    expect(await screen.findByText('No lines contain this text.')).toBeTruthy()
  })

  it('are copied and downloaded unchanged, with all their lines', async () => {
    const user = await openCall('c-1')
    const downloads: { name: string; content: Blob }[] = []
    const createUrlSpy = vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
      downloads.push({ name: '', content: content as Blob })
      return 'blob:log'
    })
    const clickSpy = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      downloads.at(-1)!.name = this.download
    })
    await user.type(await screen.findByRole('searchbox', { name: 'Search lines' }), 'slow')
    await screen.findByText('1 of 5 lines')
    await user.click(screen.getByRole('button', { name: 'Download log' }))
    await user.click(screen.getByRole('button', { name: 'Copy all' }))
    const copiedText = await navigator.clipboard.readText()
    expect(copiedText.match(/\n/g)).toHaveLength(5)
    expect(JSON.parse(copiedText.split('\n')[4]!)).toMatchObject({ msg: 'call ended', pid: 1 })
    expect(downloads.map(({ name, content }) => ({ name, size: content.size }))).toEqual([
      { name: 'c-1.log', size: copiedText.length },
    ])
    createUrlSpy.mockRestore()
    clickSpy.mockRestore()
  })

  it('are read from another group, and report an empty or missing one', async () => {
    const user = await openCall('c-1')
    const selectLogGroup = async (name: string) => {
      await user.click(await screen.findByRole('combobox', { name: /^Log group/ }))
      await user.click(await screen.findByRole('option', { name, hidden: true }))
    }
    await screen.findByText('5 lines')
    await selectLogGroup('sbc')
    await screen.findByText('1 line')
    expect(logLines()).toEqual([' INFO INVITE sent '])
    expect(screen.queryByRole('checkbox', { name: 'Warnings and errors only' })).toBeNull()
    await selectLogGroup('gone')
    expect(await screen.findByText('There is no log group gone in eu-west-1.')).toBeTruthy()
    cloudWatch.addLines('gone')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('There are no log lines for this call.')).toBeTruthy()
  })

  it('show a note if only the beginning was read, and render only visible lines', async () => {
    // jsdom has no layout
    const clientHeight = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = await openCall('c-long')
    expect(await screen.findByText('1,000 lines')).toBeTruthy()
    expect(screen.getByText('The log is longer. Only its beginning was loaded.')).toBeTruthy()
    await waitFor(() => expect(logLines().length).toBeLessThan(60))
    expect(screen.getAllByRole('option')[0]?.getAttribute('aria-setsize')).toBe('1000')
    // a row shows the start of a long line, the details show all of it
    expect(logLines()[3]!.length).toBeLessThan(400)
    await user.click(screen.getAllByRole('option')[3]!)
    expect(lineDetails().getByText(longText)).toBeTruthy()
    clientHeight.mockRestore()
  })

  it('are not offered if no log groups are configured', async () => {
    await render(callPath('c-1'), { as: 'account' })
    await screen.findByText('one@host')
    expect(screen.queryByRole('tab')).toBeNull()
  })

  it('are not offered for a call without a SID', async () => {
    await render(callPath('', 'failed@host'), { as: 'account', features })
    await screen.findByText('failed@host')
    expect(screen.queryByRole('tab')).toBeNull()
  })
})
