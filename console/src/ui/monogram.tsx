import css from './monogram.module.css'

/** Returns the initials of the first and last word: 'NV' for 'Northwind Voice'. */
export const getInitials = (name: string) => {
  const words = name.split(/[\s\-_.@/]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters =
    words.length > 1
      ? [words[0], words[words.length - 1]].map((word) => [...(word ?? '')][0])
      : [...(words[0] ?? '?')].slice(0, 2)
  return letters.join('').toUpperCase()
}

export interface MonogramProps {
  name: string
  size?: 20 | 24
}

/** A square with a name's initials. Always show the name beside it, because screen readers skip the square. */
export const Monogram = ({ name, size = 24 }: MonogramProps) => (
  <span className={css.monogram} data-size={size} aria-hidden="true">
    {getInitials(name)}
  </span>
)
