import { expect, type Page, type Request } from '@playwright/test'
import { heading } from './screen'

const pendingRequests = new WeakMap<Page, Set<Request>>()

/** The pending requests of a page, tracked from the first call. */
const requestsOf = (page: Page): Set<Request> => {
  const trackedRequests = pendingRequests.get(page)
  if (trackedRequests) return trackedRequests
  const requests = new Set<Request>()
  pendingRequests.set(page, requests)
  page.on('request', (request) => void requests.add(request))
  page.on('requestfinished', (request) => void requests.delete(request))
  page.on('requestfailed', (request) => void requests.delete(request))
  return requests
}

/** Waits until the page has rendered its data and has no pending requests. */
export const waitUntilIdle = async (page: Page) => {
  const requests = requestsOf(page)
  for (let idleFrames = 0; idleFrames < 3; idleFrames = requests.size === 0 ? idleFrames + 1 : 0)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30))))
}

/** Navigates to another console page like a link, and waits until it has loaded completely. */
export const navigate = async (page: Page, path: string, title: string) => {
  requestsOf(page)
  await page.evaluate((url) => window.history.pushState(null, '', url), path)
  await expect(heading(page, title)).toBeVisible()
  await waitUntilIdle(page)
}
