import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

/** Minimal replacements for browser APIs that jsdom lacks. */
class ResizeObserverStub implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const matchMediaStub = (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
})

/** Replaces a missing property, or one that jsdom declares without a value. */
const defineIfMissing = (target: object, name: string, value: unknown) => {
  if (Reflect.get(target, name) === undefined)
    Object.defineProperty(target, name, { configurable: true, writable: true, value })
}

/** CSS.escape: escapes each character of a selector's syntax with a backslash, and a leading digit by its code. */
const escapeCss = (text: string) =>
  text.replace(/^\d|[^\w\u0080-\uffff-]/g, (char) => (/\d/.test(char) ? `\\3${char} ` : `\\${char}`))

if (typeof window !== 'undefined') {
  defineIfMissing(window, 'matchMedia', matchMediaStub)
  defineIfMissing(window, 'ResizeObserver', ResizeObserverStub)
  defineIfMissing(window, 'CSS', { escape: escapeCss })
  defineIfMissing(Element.prototype, 'scrollIntoView', () => {})
  defineIfMissing(Range.prototype, 'getBoundingClientRect', () => ({ width: 0 }))
  defineIfMissing(document, 'fonts', new EventTarget())
  defineIfMissing(HTMLDialogElement.prototype, 'showModal', function (this: HTMLDialogElement) {
    this.open = true
  })
  defineIfMissing(HTMLDialogElement.prototype, 'close', function (this: HTMLDialogElement) {
    this.open = false
  })
  defineIfMissing(URL, 'createObjectURL', () => 'blob:')
  defineIfMissing(URL, 'revokeObjectURL', () => {})
  const readAs = (method: 'readAsText' | 'readAsArrayBuffer') =>
    function (this: Blob) {
      return new Promise((resolve) => {
        const reader = new FileReader()
        reader.onload = () => resolve(reader.result)
        reader[method](this)
      })
    }
  defineIfMissing(Blob.prototype, 'text', readAs('readAsText'))
  defineIfMissing(Blob.prototype, 'arrayBuffer', readAs('readAsArrayBuffer'))
  // jsdom has this one, but it only logs that it is not implemented
  Object.defineProperty(window, 'scrollTo', { configurable: true, writable: true, value: () => {} })
}

const controls = 'button, input, select, textarea'

/**
 * The labels of a control. A label around controls belongs to the first of them. jsdom itself searches the whole document
 * for each label, which took a fifth of the time of form tests.
 */
function findLabels(this: HTMLElement) {
  const labels = Array.from(document.getElementsByTagName('label'))
  return labels.filter((label) => (label.htmlFor ? label.htmlFor === this.id : label.querySelector(controls) === this))
}

if (typeof window !== 'undefined')
  for (const { prototype } of [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement])
    Object.defineProperty(prototype, 'labels', { configurable: true, get: findLabels })

const styleAttributes = ['hidden', 'open', 'type', 'popover']

/**
 * getComputedStyle that computes the style of equal elements once. jsdom matches each rule of its default style sheet with
 * each element, which took a fifth of the time of screen tests; they load no other style sheet.
 */
const memoizeStyles = (computeStyle: typeof getComputedStyle): typeof getComputedStyle => {
  const styles = new Map<string, CSSStyleDeclaration>()
  return function getMemoizedStyle(element, pseudoElement) {
    if (pseudoElement || element.hasAttribute('style')) return computeStyle(element, pseudoElement)
    const key = [element.tagName, ...styleAttributes.map((name) => element.getAttribute(name))].join('|')
    const style = styles.get(key) ?? computeStyle(element)
    styles.set(key, style)
    return style
  }
}

// `document.defaultView` is jsdom's window, and `window` is the global object. Files of a worker share both.
if (typeof window !== 'undefined' && window.getComputedStyle.name !== 'getMemoizedStyle') {
  const getMemoizedStyle = memoizeStyles(getComputedStyle)
  for (const target of [window, document.defaultView!]) target.getComputedStyle = getMemoizedStyle
}

// the server runs in the same process: its cryptographic keys are Node's Uint8Array, which differs from jsdom's
if (typeof window !== 'undefined') Object.assign(globalThis, { Uint8Array: Object.getPrototypeOf(Buffer) as unknown })

afterEach(cleanup)

// test files of a worker share modules: an import cut off at the end of one file would stay broken for the next ones
afterAll(() => vi.dynamicImportSettled())
