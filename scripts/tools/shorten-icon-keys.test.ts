import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectPath } from './paths.mjs'
import { shortenIconKeys } from './shorten-icon-keys.mjs'

const { transform } = shortenIconKeys() as unknown as { transform: (code: string, id: string) => string | null }
const menuIcon = projectPath('node_modules', 'lucide-react', 'dist', 'esm', 'icons', 'menu.mjs')

test('the keys of a real icon become numbers, and its shapes stay', () => {
  const code = readFileSync(menuIcon, 'utf8')
  const shortened = transform(code, menuIcon)
  expect(shortened?.match(/key: "[^"]*"/g)).toEqual(['key: "0"', 'key: "1"', 'key: "2"'])
  expect(shortened?.replace(/key: "\w+"/g, '')).toBe(code.replace(/key: "\w+"/g, ''))
})

test('other modules stay as they are', () => {
  expect(transform('{ key: "abc" }', projectPath('console', 'src', 'main.tsx'))).toBeNull()
})
