/** A parameter of a request: text, or a list or object of parameters. */
export type Param = string | Param[] | { [name: string]: Param }
export type Params = Record<string, Param>

const isListKey = (key: string) => key === '' || /^\d+$/.test(key)

/** Arrays are sent as `expand[0]=…` or `expand[]=…`: turns objects whose keys are all positions into arrays. */
const toLists = (value: Param): Param => {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, entry]) => [key, toLists(entry)] as const)
  if (entries.length > 0 && entries.every(([key]) => isListKey(key))) return entries.map(([, entry]) => entry)
  return Object.fromEntries(entries)
}

/** Reads the form encoding of Stripe's API: `items[0][quantity]=5`. */
export const parseForm = (text: string): Params => {
  const root: { [name: string]: Param } = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const path = [key.replace(/\[.*$/, ''), ...[...key.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]!)]
    let target = root
    for (const [index, part] of path.entries()) {
      const name = part === '' ? String(Object.keys(target).length) : part
      if (index === path.length - 1) target[name] = value
      else target = (target[name] ??= {}) as { [name: string]: Param }
    }
  }
  return toLists(root) as Params
}

export const textParam = (params: Params, name: string): string | undefined =>
  typeof params[name] === 'string' ? params[name] : undefined

export const objectParam = (params: Params, name: string): Params | undefined => {
  const value = params[name]
  return value !== undefined && typeof value !== 'string' && !Array.isArray(value) ? value : undefined
}

export const listParam = (params: Params, name: string): Param[] => {
  const value = params[name]
  return Array.isArray(value) ? value : []
}

export const textRecord = (params: Params | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
