import { expect, test } from 'vitest'
import { compactIcons } from './compact-icons.mjs'
import { projectPath } from './paths.mjs'

const { transform } = compactIcons() as unknown as { transform: (code: string, id: string) => Promise<string | null> }

/** The shapes of an icon after the transformation. */
const readShapes = async (name: string): Promise<unknown> => {
  const file = projectPath('node_modules', 'lucide-react', 'dist', 'esm', 'icons', `${name}.mjs`)
  const code = await transform('const __iconData = {}', file)
  return JSON.parse(/createIcon\((.*)\)$/.exec(code ?? '')?.[1] ?? 'null')
}

test('the paths of an icon become one, without keys', async () => {
  expect(await readShapes('menu')).toEqual([['path', { d: 'M4 5h16M4 12h16M4 19h16' }]])
})

test('a path with a relative start keeps its place behind another one', async () => {
  // 'M12 5v14' and 'm19 12-7 7-7-7'
  expect(await readShapes('arrow-down')).toEqual([['path', { d: 'M12 5v14M19 12l-7 7-7-7' }]])
  // 'M9 21H5…4', 'M21 12H9' and 'm16 17 5-5-5-5'
  expect(JSON.stringify(await readShapes('log-out'))).toContain('M16 17l5-5-5-5')
})

test('other shapes stay as they are', async () => {
  expect(await readShapes('circle-check')).toEqual([
    ['circle', { cx: '12', cy: '12', r: '10' }],
    ['path', { d: 'M16 9l-5.5 5.5L8 12' }],
  ])
})

test('a path with attributes of its own is not joined', async () => {
  expect(JSON.stringify(await readShapes('key-round'))).toContain(
    '["circle",{"cx":"16.5","cy":"7.5","r":".5","fill":"currentColor"}]',
  )
})

test('other modules stay as they are', async () => {
  expect(await transform('const a = 1', projectPath('console', 'src', 'main.tsx'))).toBeNull()
})
