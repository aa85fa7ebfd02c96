import type { Page } from '@playwright/test'
import { signIn, type TestUser } from './users'

/** The bytes transferred for a page's document, scripts, styles and data, without fonts and pictures. */
export interface PageWeight {
  page: string
  bytes: number
  requests: number
}

const codeTypes = new Set(['Document', 'Script', 'Stylesheet'])
const codeAndDataTypes = new Set([...codeTypes, 'Fetch', 'XHR'])

const trackTransfers = async (
  page: Page,
  countedTypes: ReadonlySet<string>,
): Promise<() => { bytes: number; requests: number }> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const types = new Map<string, string>()
  let bytes = 0
  let requests = 0
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!countedTypes.has(types.get(requestId) ?? '')) return
    bytes += encodedDataLength
    requests += 1
  })
  return () => ({ bytes, requests })
}

/** Waits until a list shows ten rows. */
export const waitForRows = (page: Page) => page.getByRole('main').getByRole('row').nth(10).waitFor()

/**
 * Signs in through the page and returns the weights of the sign-in page and the first list on a first visit. The list's
 * weight includes everything since the start.
 */
export const measurePageWeights = async (page: Page, base: string, { name, password }: Omit<TestUser, 'user_sid'>) => {
  const total = await trackTransfers(page, codeAndDataTypes)
  await page.goto(base, { waitUntil: 'networkidle' })
  const signInPage: PageWeight = { page: 'sign-in', ...total() }
  await signIn(page, name, password)
  await page.waitForURL('**/internal/accounts')
  await waitForRows(page)
  await page.waitForLoadState('networkidle')
  const list: PageWeight = { page: 'sign-in and first list', ...total() }
  return [signInPage, list] as const
}

/** Follows a link as the console does, without loading the document again. */
const openInConsole = async (page: Page, href: string) => {
  await page.evaluate((target) => {
    const link = Object.assign(document.createElement('a'), { href: target })
    document.body.append(link)
    link.click()
    link.remove()
  }, href)
  await page.waitForTimeout(500)
  await page.waitForLoadState('networkidle')
}

const listHrefs = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

/** The form for a new record, and the page and the form of a record, as far as a list links to them. */
const findRecordScreens = (area: string, hrefs: readonly string[]): string[] => {
  const patterns = [new RegExp(`^${area}/add$`), new RegExp(`^${area}/[^/?]+-[^/?]+$`), new RegExp(`^${area}/.+/edit$`)]
  return patterns.flatMap((pattern) => hrefs.find((href) => pattern.test(href)) ?? [])
}

/** Signs in and opens each screen once; returns the weight of the code, which no data changes. */
export const measureAllScreens = async (page: Page, base: string, { name, password }: Omit<TestUser, 'user_sid'>) => {
  const total = await trackTransfers(page, codeTypes)
  await page.goto(base, { waitUntil: 'networkidle' })
  await signIn(page, name, password)
  await waitForRows(page)
  for (const area of await listHrefs(page, 'nav[aria-label=Main] a')) {
    await openInConsole(page, area)
    const hrefs = await listHrefs(page, '#main a')
    for (const href of findRecordScreens(area, hrefs)) await openInConsole(page, href)
  }
  return { page: 'code of all screens', ...total() } satisfies PageWeight
}
