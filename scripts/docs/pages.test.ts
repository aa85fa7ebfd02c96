import { describe, expect, it } from 'vitest'
import { buildGeneratedPages } from './pages'

describe('generated documentation', () => {
  it('is up to date (run `npm run docs`)', () => {
    for (const { current, text } of buildGeneratedPages()) expect(current).toBe(text)
  })
})
