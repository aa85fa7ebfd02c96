import type { Page } from '@playwright/test'
import { signIn, type Person } from './users'

/** The bytes transferred for a page's document, scripts, styles and data, without fonts and pictures. */
export interface Weight {
  page: string
  bytes: number
  requests: number
}

const counted = new Set(['Document', 'Script', 'Stylesheet', 'Fetch', 'XHR'])

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

/** Waits until a list shows ten rows. */
export const rowsShown = (page: Page) => page.getByRole('main').getByRole('row').nth(10).waitFor()

/**
 * Signs in through the page and returns the weights of the sign-in page and the first list on a first visit. The list's
 * weight includes everything since the start.
 */
export const weighPages = async (page: Page, base: string, { name, password }: Omit<Person, 'user_sid'>) => {
  const total = await weigh(page)
  await page.goto(base, { waitUntil: 'networkidle' })
  const first: Weight = { page: 'sign-in', ...total() }
  await signIn(page, name, password)
  await page.waitForURL('**/internal/accounts')
  await rowsShown(page)
  await page.waitForLoadState('networkidle')
  const list: Weight = { page: 'sign-in and first list', ...total() }
  return [first, list] as const
}
