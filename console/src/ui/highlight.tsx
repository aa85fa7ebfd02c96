import css from './highlight.module.css'

export interface HighlightProps {
  text: string
  query: string
  strong?: boolean
}

/** The text with the first match of the query underlined. */
export const Highlight = ({ text, query, strong }: HighlightProps) => {
  const wanted = query.trim()
  const at = wanted ? text.toLowerCase().indexOf(wanted.toLowerCase()) : -1
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className={css.match} data-strong={strong || undefined}>
        {text.slice(at, at + wanted.length)}
      </mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
