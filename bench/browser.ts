import { chromium, type Browser } from '@playwright/test'
import { browserArguments } from '../scripts/launch/browser'
import { rowsShown } from '../scripts/launch/page-weight'

/** Opens a browser that asks the network for everything, as on a first visit. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: browserArguments })

/** A signed-in visit to a server. */
export interface Visit {
  base: string
  token: string
}

/** A page that is signed in, with nothing in its cache. */
export const visitPage = async (browser: Browser, token: string) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((value) => localStorage.setItem('token', value), token)
  return context.newPage()
}

export const median = (times: number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN

/**
 * Milliseconds from navigation until a list is usable, with few records and with many: medians of some visits, paid in
 * turn, so that whatever else the machine does meanwhile counts for both. The first ones fill the caches.
 */
export const timeList = async (
  browser: Browser,
  servers: Record<'few' | 'many', Visit>,
  path: string,
  visits = 9,
): Promise<Record<'few' | 'many', number>> => {
  const pages = { few: await visitPage(browser, servers.few.token), many: await visitPage(browser, servers.many.token) }
  const times: Record<'few' | 'many', number[]> = { few: [], many: [] }
  for (let visit = 0; visit <= visits; visit++)
    for (const size of ['few', 'many'] as const) {
      const since = Date.now()
      await pages[size].goto(`${servers[size].base}/internal/${path}`)
      await rowsShown(pages[size])
      if (visit > 0) times[size].push(Date.now() - since)
    }
  await Promise.all(Object.values(pages).map((page) => page.context().close()))
  return { few: median(times.few), many: median(times.many) }
}

/**
 * Milliseconds from the press of a key until what it changed in a table of routes is painted: while a route is carried
 * from place to place, and when it is dropped. Medians of some presses; the order that is shown in the end is looked at.
 */
export const timeReorder = async (
  browser: Browser,
  { base, token }: Visit,
  lcr_sid: string,
  presses = 15,
): Promise<{ carried: number; dropped: number }> => {
  const page = await visitPage(browser, token)
  await page.goto(`${base}/internal/least-cost-routing/${lcr_sid}/edit`)
  const grip = (at: number) => page.getByRole('button', { name: `Move route ${at}`, exact: true })
  const pattern = (at: number) =>
    page.getByRole('textbox', { name: `Digit prefix or regex of route ${at}`, exact: true })
  const first = await pattern(1).inputValue()
  // the first hundred stand in for the rows until the code that draws those in view is there
  await grip(100).waitFor({ state: 'detached' })
  await page.evaluate(() => {
    const painted: number[] = []
    Object.assign(window, { painted })
    // the first frame after a key holds its change, and is on screen when the second one begins
    addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => requestAnimationFrame((now) => painted.push(now - timeStamp))),
      { capture: true },
    )
  })
  const press = async (key: string): Promise<number> => {
    const before = await page.evaluate(() => Reflect.get(window, 'painted').length as number)
    await page.keyboard.press(key)
    const time = await page.waitForFunction((count) => Reflect.get(window, 'painted')[count] as number, before)
    return time.jsonValue()
  }
  const carried: number[] = []
  const dropped: number[] = []
  await grip(1).focus()
  for (let turn = 1; turn <= presses; turn++) {
    await press('Space')
    carried.push(await press('ArrowDown'))
    dropped.push(await press('Space'))
    await grip(turn + 1)
      .and(page.locator(':focus'))
      .waitFor()
  }
  if ((await pattern(presses + 1).inputValue()) !== first) throw new Error('the route is not where it was carried')
  await page.context().close()
  return { carried: median(carried), dropped: median(dropped) }
}
