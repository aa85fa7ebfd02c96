import { chromium, type Browser } from '@playwright/test'
import { browserArguments } from '../scripts/launch/browser'
import { waitForRows } from '../scripts/launch/page-weight'
import { median } from './statistics'

/** Opens a browser with an empty cache, as on a first visit. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: browserArguments })

/** A server and the token of a signed-in user. */
export interface SignedInServer {
  base: string
  token: string
}

/** A page with a signed-in user and an empty cache. */
export const openSignedInPage = async (browser: Browser, token: string) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((value) => localStorage.setItem('token', value), token)
  return context.newPage()
}

/**
 * Measures the milliseconds from navigation until a list is usable, with few and with many records. Returns medians
 * over several visits. The visits alternate, so that other load on the machine affects both equally; the first ones
 * fill the caches.
 */
export const measureList = async (
  browser: Browser,
  servers: Record<'few' | 'many', SignedInServer>,
  path: string,
  visits = 9,
): Promise<Record<'few' | 'many', number>> => {
  const pages = {
    few: await openSignedInPage(browser, servers.few.token),
    many: await openSignedInPage(browser, servers.many.token),
  }
  const times: Record<'few' | 'many', number[]> = { few: [], many: [] }
  for (let visit = 0; visit <= visits; visit++)
    for (const size of ['few', 'many'] as const) {
      const startedAt = Date.now()
      await pages[size].goto(`${servers[size].base}/internal/${path}`)
      await waitForRows(pages[size])
      if (visit > 0) times[size].push(Date.now() - startedAt)
    }
  await Promise.all(Object.values(pages).map((page) => page.context().close()))
  return { few: median(times.few), many: median(times.many) }
}

/**
 * Measures the milliseconds from a key press until its change in a list of routes is painted: while a route moves, and
 * when it is dropped. Returns medians over several presses, and checks the final order.
 */
export const measureReorder = async (
  browser: Browser,
  { base, token }: SignedInServer,
  lcr_sid: string,
  presses = 15,
): Promise<{ moveMs: number; dropMs: number }> => {
  const page = await openSignedInPage(browser, token)
  await page.goto(`${base}/internal/least-cost-routing/${lcr_sid}/edit`)
  const moveButton = (position: number) => page.getByRole('button', { name: `Move route ${position}`, exact: true })
  const patternField = (position: number) =>
    page.getByRole('textbox', { name: `Digit prefix or regex of route ${position}`, exact: true })
  const movedPattern = await patternField(1).inputValue()
  // the first hundred rows are a placeholder until the code that renders only visible rows has loaded
  await moveButton(100).waitFor({ state: 'detached' })
  await page.evaluate(() => {
    const paintDelaysMs: number[] = []
    Object.assign(window, { paintDelaysMs })
    // the first frame after a key press contains its change, and is on screen when the second one starts
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => requestAnimationFrame((now) => paintDelaysMs.push(now - timeStamp))),
      { capture: true },
    )
  })
  /** Presses a key; returns the milliseconds until its change is painted. */
  const press = async (key: string): Promise<number> => {
    const paintCount = await page.evaluate(() => Reflect.get(window, 'paintDelaysMs').length as number)
    await page.keyboard.press(key)
    const delayMs = await page.waitForFunction(
      (index) => Reflect.get(window, 'paintDelaysMs')[index] as number,
      paintCount,
    )
    return delayMs.jsonValue()
  }
  const moveTimesMs: number[] = []
  const dropTimesMs: number[] = []
  await moveButton(1).focus()
  for (let position = 1; position <= presses; position++) {
    await press('Space')
    moveTimesMs.push(await press('ArrowDown'))
    dropTimesMs.push(await press('Space'))
    await moveButton(position + 1)
      .and(page.locator(':focus'))
      .waitFor()
  }
  if ((await patternField(presses + 1).inputValue()) !== movedPattern)
    throw new Error('the route is not at its new position')
  await page.context().close()
  return { moveMs: median(moveTimesMs), dropMs: median(dropTimesMs) }
}
