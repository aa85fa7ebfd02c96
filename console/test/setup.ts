import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

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

/** Some lacks are there by name, without a value. */
const supply = (host: object, name: string, value: unknown) => {
  if (Reflect.get(host, name) === undefined)
    Object.defineProperty(host, name, { configurable: true, writable: true, value })
}

/** CSS.escape: a backslash before each character of a selector's syntax, and the code of a digit at the start. */
const escapeCss = (text: string) =>
  text.replace(/^\d|[^\w\u0080-\uffff-]/g, (char) => (/\d/.test(char) ? `\\3${char} ` : `\\${char}`))

if (typeof window !== 'undefined') {
  supply(window, 'matchMedia', wide)
  supply(window, 'ResizeObserver', NoResizes)
  supply(window, 'CSS', { escape: escapeCss })
  supply(Element.prototype, 'scrollIntoView', () => {})
  supply(Range.prototype, 'getBoundingClientRect', () => ({ width: 0 }))
  supply(document, 'fonts', new EventTarget())
  supply(HTMLDialogElement.prototype, 'showModal', function (this: HTMLDialogElement) {
    this.open = true
  })
  supply(HTMLDialogElement.prototype, 'close', function (this: HTMLDialogElement) {
    this.open = false
  })
  supply(URL, 'createObjectURL', () => 'blob:')
  supply(URL, 'revokeObjectURL', () => {})
  const readAs = (way: 'readAsText' | 'readAsArrayBuffer') =>
    function (this: Blob) {
      return new Promise((done) => {
        const reader = new FileReader()
        reader.onload = () => done(reader.result)
        reader[way](this)
      })
    }
  supply(Blob.prototype, 'text', readAs('readAsText'))
  supply(Blob.prototype, 'arrayBuffer', readAs('readAsArrayBuffer'))
  // it has this one, but only to say that it does nothing
  Object.defineProperty(window, 'scrollTo', { configurable: true, writable: true, value: () => {} })
}

// the server runs in the same process: its keys are Node's bytes, which are none of jsdom's
if (typeof window !== 'undefined') Object.assign(globalThis, { Uint8Array: Object.getPrototypeOf(Buffer) as unknown })

afterEach(cleanup)

// the files of a worker share what they import: what the end of a file cuts off would stay broken for all that follow
afterAll(() => vi.dynamicImportSettled())
