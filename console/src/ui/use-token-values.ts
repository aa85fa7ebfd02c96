import { useEffect, useState } from 'react'
import { subscribeToScheme } from '../theme/scheme'

const readTokens = <Name extends string>(names: readonly Name[]): Record<Name, string> => {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()])) as Record<Name, string>
}

/** The values of our design tokens in the current color scheme, for content that our style sheets do not reach. */
export const useTokenValues = <Name extends string>(names: readonly Name[]): Record<Name, string> => {
  const [values, setValues] = useState(() => readTokens(names))
  useEffect(() => subscribeToScheme(() => setValues(readTokens(names))), [names])
  return values
}
