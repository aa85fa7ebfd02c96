import { expect, type Page, type Request } from '@playwright/test'
import { heading } from './screen'

const underWay = new WeakMap<Page, Set<Request>>()

/** The pending requests of a page, tracked from the first call. */
const requestsOf = (page: Page): Set<Request> => {
  const known = underWay.get(page)
  if (known) return known
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', (request) => void open.add(request))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  return open
}

/** Waits until the page has rendered its data and has no pending requests. */
export const quiet = async (page: Page) => {
  const open = requestsOf(page)
  for (let calm = 0; calm < 3; calm = open.size === 0 ? calm + 1 : 0)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30))))
}

/** Navigates to another console page like a link, and waits until it has loaded completely. */
export const visit = async (page: Page, path: string, title: string) => {
  requestsOf(page)
  await page.evaluate((address) => window.history.pushState(null, '', address), path)
  await expect(heading(page, title)).toBeVisible()
  await quiet(page)
}
