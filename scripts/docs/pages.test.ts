import { describe, expect, it } from 'vitest'
import { generatedPages } from './pages'

describe('generated documentation', () => {
  it('is up to date (run `npm run docs`)', () => {
    for (const { current, text } of generatedPages()) expect(current).toBe(text)
  })
})
