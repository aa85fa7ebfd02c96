import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { ip4, pcap, udp } from '../console/test/build-packets'
import { defaultAccountSid } from '../server/src/db/seed-data'
import { hepPacketOf, sendOverUdp, buildDialog } from '../server/test/external/hep-agent'
import { openSignedInPage, type SignedInServer } from './browser'
import { createIngestKey, sendToIngest } from './calls'
import type { OperationMeasurement } from './report'
import { measureScrolling, type SmoothnessMeasurement } from './smoothness'
import { median } from './statistics'

const spanCount = 10_000
const packetCount = 50_000
const visitCount = 5

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** Creates the trace of a call with many verbs, each with a few spans. */
const buildTrace = (traceId: string, startMs: number) => {
  const nanosAt = (milliseconds: number) => `${startMs + milliseconds}000000`
  return Array.from({ length: spanCount }, (_, index) => ({
    traceId,
    spanId: hex(index + 1, 16),
    ...(index === 0 ? {} : { parentSpanId: hex(index % 5 === 1 ? 1 : index - ((index - 1) % 5) + 1, 16) }),
    name: index === 0 ? 'incoming-call' : index % 5 === 1 ? 'verb:gather' : 'stt-listen:1',
    kind: 1,
    startTimeUnixNano: nanosAt(index),
    endTimeUnixNano: nanosAt(index === 0 ? spanCount : index + 5),
    attributes: [{ key: 'accountSid', value: { stringValue: defaultAccountSid } }],
  }))
}

/** Creates a pcap file with the SIP messages of five hundred calls and the RTP packets of one of them. */
const buildCapture = (startUs: number): Buffer => {
  const messages = Array.from({ length: 500 }, (_, index) =>
    buildDialog({ callId: `c${index}@bench`, startUs: startUs + index * 1000 }),
  )
    .flat()
    .map(({ source, target, timeUs: time, payload }) => ({
      time,
      bytes: ip4(udp(Buffer.from(payload), source[1], target[1]), { from: source[0], to: target[0] }),
    }))
  const audioPackets = Array.from({ length: packetCount - messages.length }, (_, index) => ({
    time: startUs + 3_000_000 + index * 20_000,
    bytes: ip4(
      udp(
        Buffer.from([0x80, 8, (index >> 8) & 255, index & 255, ...Array<number>(168).fill(index & 7)]),
        40_218,
        50_002,
      ),
    ),
  }))
  const [firstFile, ...otherFiles] = [...messages, ...audioPackets].map((packet) => Buffer.from(pcap([packet])))
  return Buffer.concat([firstFile!, ...otherFiles.map((file) => file.subarray(24))])
}

/** Measures the milliseconds from an action until its result is painted. */
const measurePaintMs = async (page: Page, action: () => Promise<unknown>, selector: string): Promise<number> => {
  const since = await page.evaluate(() => performance.now())
  await action()
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
 * Measures how long a very large trace and capture of an open call take to appear: medians over several visits. Then
 * scrolls both. `hepPort`: the port for captures.
 */
export const measureCallScreens = async (
  browser: Browser,
  { base, token }: SignedInServer,
  hepPort: number,
): Promise<{ operations: OperationMeasurement[]; smoothness: SmoothnessMeasurement[] }> => {
  const startMs = Date.now() - 60_000
  const traceId = randomUUID().replaceAll('-', '')
  const key = await createIngestKey(base, token)
  const write = (path: string, body: string, contentType: string) => sendToIngest(base, key, path, body, contentType)
  const call = `cdrs,account_sid=${defaultAccountSid},direction=inbound,answered=true`
  await write(
    '/write?db=cdrs&precision=ms',
    `${call} call_sid="opened",sip_callid="opened@bench",trace_id="${traceId}",from="1",to="2" ${startMs}`,
    'text/plain',
  )
  const spans = buildTrace(traceId, startMs)
  for (let first = 0; first < spanCount; first += 500)
    await write(
      '/v1/traces',
      JSON.stringify({
        resourceSpans: [{ scopeSpans: [{ scope: { name: 'voice' }, spans: spans.slice(first, first + 500) }] }],
      }),
      'application/json',
    )
  await sendOverUdp(hepPort, buildDialog({ callId: 'opened@bench', startUs: startMs * 1000 }).map(hepPacketOf))
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const file = join(folder, 'large.pcap')
  writeFileSync(file, buildCapture(startMs * 1000))
  const paintTimesMs = { trace: [] as number[], capture: [] as number[] }
  const smoothness: SmoothnessMeasurement[] = []
  try {
    for (let visit = 1; visit <= visitCount; visit += 1) {
      const isLast = visit === visitCount
      const page = await openSignedInPage(browser, token)
      const date = encodeURIComponent(new Date(startMs).toISOString())
      await page.goto(`${base}/internal/recent-calls?date=${date}&open=opened`)
      const tracingTab = page.getByRole('tab', { name: 'Tracing' })
      await tracingTab.waitFor()
      paintTimesMs.trace.push(await measurePaintMs(page, () => tracingTab.click(), '[role=treeitem]'))
      if (isLast) smoothness.push(await measureScrolling(page, 'waterfall of 10,000 spans', '[role=tree]'))
      await page.getByRole('tab', { name: 'Call flow' }).click()
      await page.getByRole('option').first().waitFor()
      const fileInput = page.getByLabel('Open another capture').and(page.locator('input'))
      await fileInput.waitFor({ state: 'attached' })
      paintTimesMs.capture.push(
        await measurePaintMs(page, () => fileInput.setInputFiles(file), 'text=/^[0-9,]{5} messages/'),
      )
      if (isLast) smoothness.push(await measureScrolling(page, 'ladder of a large capture', '[role=listbox]'))
      await page.context().close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const operations = [
    { name: 'a trace of 10,000 spans painted', seconds: median(paintTimesMs.trace) / 1000, targetSeconds: 1 },
    {
      name: 'a capture of 50,000 packets read and painted',
      seconds: median(paintTimesMs.capture) / 1000,
      targetSeconds: 1.5,
    },
  ]
  return { operations, smoothness }
}
