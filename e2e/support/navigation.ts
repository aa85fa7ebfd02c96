import { expect, type Page, type Request } from '@playwright/test'
import { heading } from './screen'

const underWay = new WeakMap<Page, Set<Request>>()

/** What a page has asked for and not got yet, from the first time that somebody wants to know. */
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

/** Waits until the page has drawn what it got and asks for nothing more. */
export const quiet = async (page: Page) => {
  const open = requestsOf(page)
  for (let calm = 0; calm < 3; calm = open.size === 0 ? calm + 1 : 0)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30))))
}

/** Goes to another page of the console as a link does, and waits until it is there with all that it shows. */
export const visit = async (page: Page, path: string, title: string) => {
  requestsOf(page)
  await page.evaluate((address) => window.history.pushState(null, '', address), path)
  await expect(heading(page, title)).toBeVisible()
  await quiet(page)
}
