import css from './highlight.module.css'

export interface HighlightProps {
  text: string
  query: string
  strong?: boolean
}

/** The text with the first match of the query underlined. */
export const Highlight = ({ text, query, strong }: HighlightProps) => {
  const searchText = query.trim()
  const start = searchText ? text.toLowerCase().indexOf(searchText.toLowerCase()) : -1
  if (start < 0) return text
  return (
    <>
      {text.slice(0, start)}
      <mark className={css.match} data-strong={strong || undefined}>
        {text.slice(start, start + searchText.length)}
      </mark>
      {text.slice(start + searchText.length)}
    </>
  )
}
