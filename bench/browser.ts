import { chromium, type Browser, type Page } from '@playwright/test'
import { browserArguments } from '../e2e/support/browser'

/** Bytes over the wire: what a page's document, scripts, styles and data weigh as served. Fonts and pictures aside. */
export interface Weight {
  page: string
  bytes: number
  requests: number
}

const counted = new Set(['Document', 'Script', 'Stylesheet', 'Fetch', 'XHR'])

/** Opens a browser that asks the network for everything, as on a first visit. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: browserArguments })

const weigh = async (page: Page): Promise<() => { bytes: number; requests: number }> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const kinds = new Map<string, string>()
  let bytes = 0
  let requests = 0
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!counted.has(kinds.get(requestId) ?? '')) return
    bytes += encodedDataLength
    requests += 1
  })
  return () => ({ bytes, requests })
}

const rowsShown = (page: Page) => page.getByRole('main').getByRole('row').nth(10).waitFor()

/** Signs in through the page and answers what sign-in and the first list weighed. The list counts everything since the start. */
export const weighPages = async (
  browser: Browser,
  base: string,
  username: string,
  password: string,
): Promise<Weight[]> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const total = await weigh(page)
  await page.goto(base, { waitUntil: 'networkidle' })
  const signIn = { page: 'sign-in', ...total() }
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/internal/accounts')
  await rowsShown(page)
  await page.waitForLoadState('networkidle')
  const list = { page: 'sign-in and first list', ...total() }
  await page.close()
  return [signIn, list]
}

/** Milliseconds from navigation to a usable list: the median of some visits with a warm cache. */
export const timeList = async (
  browser: Browser,
  { base, token }: { base: string; token: string },
  path: string,
  visits = 9,
): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((value) => localStorage.setItem('token', value), token)
  const page = await context.newPage()
  const times: number[] = []
  for (let visit = 0; visit <= visits; visit++) {
    const since = Date.now()
    await page.goto(`${base}/internal/${path}`)
    await rowsShown(page)
    if (visit > 0) times.push(Date.now() - since)
  }
  await context.close()
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)]!
}
