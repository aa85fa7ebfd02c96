import type { Browser, CDPSession, Page } from '@playwright/test'
import { openSignedInPage, type SignedInServer } from './browser'

/** The 95th percentile of the work after a key, or of the time between two frames while a list scrolls. */
export interface SmoothnessMeasurement {
  name: string
  p95Ms: number
  limitMs: number
}

/** A frame of a screen with 60 Hz. Frames are measured in tenths of a millisecond. */
const frameMs = 16.8
const maxKeyMs = 16

/** The screens whose fields are typed into. */
const typedScreens = {
  'filter of phone numbers': 'phone-numbers',
  'account form': 'accounts/add',
  'application form': 'applications/add',
  'carrier form': 'carriers/add',
  'phone number form': 'phone-numbers/add',
  'speech form': 'speech-services/add',
  'user form': 'users/add',
  'client form': 'clients/add',
}

const scrolledLists = { 'list of phone numbers': 'phone-numbers', 'list of accounts': 'accounts' }

const keysPerField = 20
const scrollDurationMs = 3000
const scrollIntervalMs = 30
/** Longer than any measured work, so that the work after one input does not count for the next one. */
const inputIntervalMs = 80
/** Processors of phones are about four times slower. */
const slowCpuFactor = 4

const textFields =
  '#main :is(textarea, input:not([type]), input:is([type=text], [type=search], [type=url], [type=email], [type=number], [type=password], [type=tel]))'

const findP95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? NaN

/** Reads how long the main thread has worked so far, in milliseconds. */
const readWorkMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
}

/** Performs inputs one after the other. Returns how long the main thread works for each: script, layout and paint. */
const measureInputs = async (page: Page, count: number, performInput: () => Promise<void>): Promise<number[]> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const times: number[] = []
  for (let input = 0; input < count; input += 1) {
    const before = await readWorkMs(session)
    await performInput()
    await page.waitForTimeout(inputIntervalMs)
    times.push((await readWorkMs(session)) - before)
  }
  await session.detach()
  return times
}

/** Scrolls what is in the middle of an element, on a slow processor. */
export const measureScrolling = async (page: Page, name: string, selector: string): Promise<SmoothnessMeasurement> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowCpuFactor })
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${page.url()} does not show ${selector}`)
  await page.mouse.move(box.x + box.width / 2, Math.min(box.y + box.height / 2, 600))
  const intervals = page.evaluate(async (durationMs) => {
    const intervalsMs: number[] = []
    const startedAt = performance.now()
    let lastFrameAt: number | undefined
    while (performance.now() - startedAt < durationMs) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      if (lastFrameAt !== undefined) intervalsMs.push(now - lastFrameAt)
      lastFrameAt = now
    }
    return intervalsMs
  }, scrollDurationMs)
  for (let step = 0; step < scrollDurationMs / scrollIntervalMs; step += 1) {
    await page.mouse.wheel(0, 60)
    await page.waitForTimeout(scrollIntervalMs)
  }
  const p95Ms = findP95(await intervals)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { name: `scrolling the ${name}, slow CPU: time between frames`, p95Ms, limitMs: frameMs }
}

/** Types into each text field of a screen. Returns the 95th percentile of all keys. */
const measureTyping = async (page: Page): Promise<number> => {
  const fields = await page.locator(textFields).all()
  if (fields.length === 0) throw new Error(`${page.url()} has no text field`)
  const times: number[] = []
  for (const field of fields) {
    if (!(await field.isVisible()) || !(await field.isEditable())) continue
    await field.focus()
    await page.waitForTimeout(inputIntervalMs)
    times.push(...(await measureInputs(page, keysPerField, () => page.keyboard.press('7'))))
  }
  return findP95(times)
}

/** Measures typing in the fields of the forms, and scrolling of lists. */
export const measureSmoothness = async (
  browser: Browser,
  { base, token }: SignedInServer,
): Promise<SmoothnessMeasurement[]> => {
  const page = await openSignedInPage(browser, token)
  const results: SmoothnessMeasurement[] = []
  for (const [name, path] of Object.entries(typedScreens)) {
    await page.goto(`${base}/internal/${path}`, { waitUntil: 'networkidle' })
    results.push({ name: `a key in the ${name}`, p95Ms: await measureTyping(page), limitMs: maxKeyMs })
  }
  for (const [name, path] of Object.entries(scrolledLists)) {
    await page.goto(`${base}/internal/${path}?page_size=100`, { waitUntil: 'networkidle' })
    results.push(await measureScrolling(page, name, '#main table'))
  }
  await page.context().close()
  return results
}
