import type { Page } from '@playwright/test'
import { signIn, type TestUser } from './users'

/** The bytes transferred for a page's document, scripts, styles and data, without fonts and pictures. */
export interface PageWeight {
  page: string
  bytes: number
  requests: number
}

const countedTypes = new Set(['Document', 'Script', 'Stylesheet', 'Fetch', 'XHR'])

const trackTransfers = async (page: Page): Promise<() => { bytes: number; requests: number }> => {
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
  const total = await trackTransfers(page)
  await page.goto(base, { waitUntil: 'networkidle' })
  const signInPage: PageWeight = { page: 'sign-in', ...total() }
  await signIn(page, name, password)
  await page.waitForURL('**/internal/accounts')
  await waitForRows(page)
  await page.waitForLoadState('networkidle')
  const list: PageWeight = { page: 'sign-in and first list', ...total() }
  return [signInPage, list] as const
}
