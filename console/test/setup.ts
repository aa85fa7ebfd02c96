import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

/** What the page of a browser has and jsdom's has not: nothing here is more than its absence needs. */
class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const wide = (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
})

if (typeof window !== 'undefined') {
  if (!('matchMedia' in window)) Object.assign(window, { matchMedia: wide })
  if (!('ResizeObserver' in window)) Object.assign(window, { ResizeObserver: NoResizes })
  if (!('scrollIntoView' in Element.prototype)) Object.assign(Element.prototype, { scrollIntoView: () => {} })
}

afterEach(cleanup)
