import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../button'
import { FilterSelect as Choice } from './filter-select'
import { countPages, getVisiblePages, type PagerItem } from './page-numbers'
import css from './pager.module.css'

/** Number of pages that a gap button skips. */
const jump = 3

const sizes = [25, 50, 100].map((size) => ({ value: String(size), label: `${size} / page` }))

/** Reserves the pager's space while the total is unknown. */
export const PagerSpace = () => <div className={css.pager} aria-hidden="true" />

type Sized = Required<Pick<PagerProps, 'pageSize' | 'onPageSize'>>

const Size = ({ pageSize, onPageSize, ...look }: Sized & { nameHidden?: boolean; size?: 'sm'; rest?: string }) => (
  <Choice
    name="Page size"
    value={String(pageSize)}
    options={sizes}
    onChange={(value) => onPageSize(Number(value))}
    {...look}
  />
)

/** The page size among the filters of a list. Used below 768 px, where the pager has no space for it. */
export const PageSize = (props: Sized) => (
  <span className={css.among}>
    <Size {...props} rest={sizes[0]?.value} />
  </span>
)

/** Whether the small pager shows a page: the current page, and the first and last unless a gap button leads there. */
const isNear = (mark: number, page: number, pages: number) =>
  mark === page ||
  pages <= 3 ||
  (mark === 2 && page === 1) ||
  (mark === pages - 1 && page === pages) ||
  ((mark === 1 || mark === pages) && (page <= 3 || page >= pages - 2))

export interface PagerProps {
  /** Number of records on all pages. */
  total: number
  /** 1-based. */
  page: number
  pageSize: number
  onPage: (page: number) => void
  /** Without it the page size is fixed. */
  onPageSize?: (size: number) => void
}

/** The number of records, and buttons for their pages. */
export const Pager = ({ total, page, pageSize, onPage, onPageSize }: PagerProps) => {
  const pages = countPages(total, pageSize)
  const marks = getVisiblePages(page, pages)
  /** Whether a gap comes before this mark in the small pager, because the marks before it are hidden. */
  const opensGap = (at: number) => {
    const hidden = (mark: PagerItem) => typeof mark === 'number' && !isNear(mark, page, pages)
    const shownBefore = marks.slice(0, at).findLast((mark) => !hidden(mark))
    // no second gap beside one of `marks`
    return typeof shownBefore === 'number' && marks[at - 1] !== shownBefore
  }
  const go = (to: number) => onPage(Math.min(pages, Math.max(1, to)))
  return (
    <div className={css.pager}>
      <span
        className={css.total}
      >{`Total: ${total.toLocaleString('en-US')} ${total === 1 ? 'record' : 'records'}`}</span>
      <div className={css.end}>
        {onPageSize ? (
          <span className={css.size}>
            <Size pageSize={pageSize} onPageSize={onPageSize} nameHidden size="sm" />
          </span>
        ) : null}
        <nav aria-label="Pagination" className={css.pages}>
          <IconButton icon={ChevronLeft} label="Previous page" disabled={page <= 1} onClick={() => go(page - 1)} />
          {marks.map((mark, at) =>
            typeof mark === 'number' ? (
              <button
                key={mark}
                type="button"
                className={css.page}
                aria-label={`Page ${mark}`}
                aria-current={mark === page ? 'page' : undefined}
                data-near={isNear(mark, page, pages) || undefined}
                data-gap={opensGap(at) || undefined}
                onClick={() => go(mark)}
              >
                {mark}
              </button>
            ) : (
              <button
                key={mark}
                type="button"
                className={css.gap}
                aria-label={mark === 'gap-before' ? `${jump} pages back` : `${jump} pages forward`}
                onClick={() => go(mark === 'gap-before' ? page - jump : page + jump)}
              >
                …
              </button>
            ),
          )}
          <IconButton icon={ChevronRight} label="Next page" disabled={page >= pages} onClick={() => go(page + 1)} />
        </nav>
      </div>
    </div>
  )
}
