import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { ip4, pcap, udp } from '../console/test/build-packets'
import { DEFAULT_ACCOUNT } from '../server/src/db/seed-data'
import { hepOf, overUdp, talk } from '../server/test/external/hep-agent'
import { median, openSignedInPage, type SignedInServer } from './browser'
import { ingestKey } from './calls'
import type { OperationMeasurement } from './report'

const spans = 10_000
const packets = 50_000
const visits = 5

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** A call with many verbs, each with a few spans. */
const traceOf = (traceId: string, start: number) => {
  const nano = (milliseconds: number) => `${start + milliseconds}000000`
  return Array.from({ length: spans }, (_, at) => ({
    traceId,
    spanId: hex(at + 1, 16),
    ...(at === 0 ? {} : { parentSpanId: hex(at % 5 === 1 ? 1 : at - ((at - 1) % 5) + 1, 16) }),
    name: at === 0 ? 'incoming-call' : at % 5 === 1 ? 'verb:gather' : 'stt-listen:1',
    kind: 1,
    startTimeUnixNano: nano(at),
    endTimeUnixNano: nano(at === 0 ? spans : at + 5),
    attributes: [{ key: 'accountSid', value: { stringValue: DEFAULT_ACCOUNT } }],
  }))
}

/** Five hundred calls, with the RTP packets of one of them. */
const captureOf = (start: number): Buffer => {
  const messages = Array.from({ length: 500 }, (_, at) => talk({ callId: `c${at}@bench`, start: start + at * 1000 }))
    .flat()
    .map(({ source, target, time, payload }) => ({
      time,
      bytes: ip4(udp(Buffer.from(payload), source[1], target[1]), { from: source[0], to: target[0] }),
    }))
  const audioPackets = Array.from({ length: packets - messages.length }, (_, at) => ({
    time: start + 3_000_000 + at * 20_000,
    bytes: ip4(
      udp(Buffer.from([0x80, 8, (at >> 8) & 255, at & 255, ...Array<number>(168).fill(at & 7)]), 40_218, 50_002),
    ),
  }))
  const [head, ...rest] = [...messages, ...audioPackets].map((each) => Buffer.from(pcap([each])))
  return Buffer.concat([head!, ...rest.map((file) => file.subarray(24))])
}

/** Measures the milliseconds from an action until its result is painted. */
const paintTime = async (page: Page, act: () => Promise<unknown>, selector: string): Promise<number> => {
  const since = await page.evaluate(() => performance.now())
  await act()
  await page.waitForSelector(selector)
  return page.evaluate(
    (startedAt) =>
      new Promise<number>((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - startedAt))),
      ),
    since,
  )
}

/**
 * Measures how long very large parts of an open call take to appear; returns medians over several visits. `hep`: the
 * port for captures.
 */
export const measureCallScreens = async (
  browser: Browser,
  { base, token }: SignedInServer,
  hep: number,
): Promise<OperationMeasurement[]> => {
  const start = Date.now() - 60_000
  const traceId = randomUUID().replaceAll('-', '')
  const key = await ingestKey(base, token)
  const write = async (path: string, body: string, type: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const answer = await fetch(base + path, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const call = `cdrs,account_sid=${DEFAULT_ACCOUNT},direction=inbound,answered=true`
  await write(
    '/write?db=cdrs&precision=ms',
    `${call} call_sid="opened",sip_callid="opened@bench",trace_id="${traceId}",from="1",to="2" ${start}`,
    'text/plain',
  )
  const all = traceOf(traceId, start)
  for (let at = 0; at < spans; at += 500)
    await write(
      '/v1/traces',
      JSON.stringify({
        resourceSpans: [{ scopeSpans: [{ scope: { name: 'voice' }, spans: all.slice(at, at + 500) }] }],
      }),
      'application/json',
    )
  await overUdp(hep, talk({ callId: 'opened@bench', start: start * 1000 }).map(hepOf))
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const file = join(folder, 'large.pcap')
  writeFileSync(file, captureOf(start * 1000))
  const times = { traced: [] as number[], captured: [] as number[] }
  try {
    for (let visit = 0; visit < visits; visit += 1) {
      const page = await openSignedInPage(browser, token)
      const date = encodeURIComponent(new Date(start).toISOString())
      await page.goto(`${base}/internal/recent-calls?date=${date}&open=opened`)
      const tracing = page.getByRole('tab', { name: 'Tracing' })
      await tracing.waitFor()
      times.traced.push(await paintTime(page, () => tracing.click(), '[role=treeitem]'))
      await page.getByRole('tab', { name: 'Call flow' }).click()
      await page.getByRole('option').first().waitFor()
      const input = page.getByLabel('Open another capture').and(page.locator('input'))
      await input.waitFor({ state: 'attached' })
      times.captured.push(await paintTime(page, () => input.setInputFiles(file), 'text=/^[0-9,]{5} messages/'))
      await page.context().close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    { name: 'a trace of 10,000 spans painted', seconds: median(times.traced) / 1000, target: 1 },
    { name: 'a capture of 50,000 packets read and painted', seconds: median(times.captured) / 1000, target: 1.5 },
  ]
}
