import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../button'
import { FilterSelect } from './filter-select'
import { countPages, getVisiblePages, type PagerItem } from './page-numbers'
import css from './pager.module.css'

/** Number of pages that a gap button skips. */
const gapStep = 3

const pageSizeOptions = [25, 50, 100].map((size) => ({ value: String(size), label: `${size} / page` }))

/** Reserves the pager's space while the total is unknown. */
export const PagerPlaceholder = () => <div className={css.pager} aria-hidden="true" />

type PageSizeProps = Required<Pick<PagerProps, 'pageSize' | 'onPageSize'>>

const PageSizeSelect = ({
  pageSize,
  onPageSize,
  ...selectProps
}: PageSizeProps & { nameHidden?: boolean; size?: 'sm'; inactiveValue?: string }) => (
  <FilterSelect
    name="Page size"
    value={String(pageSize)}
    options={pageSizeOptions}
    onChange={(value) => onPageSize(Number(value))}
    {...selectProps}
  />
)

/** The page size among the filters of a list. Used below 768 px, where the pager has no space for it. */
export const PageSize = (props: PageSizeProps) => (
  <span className={css.inFilters}>
    <PageSizeSelect {...props} inactiveValue={pageSizeOptions[0]?.value} />
  </span>
)

/** Whether the small pager shows a page: the current page, and the first and last unless a gap button leads there. */
const isInSmallPager = (item: number, page: number, pageCount: number) =>
  item === page ||
  pageCount <= 3 ||
  (item === 2 && page === 1) ||
  (item === pageCount - 1 && page === pageCount) ||
  ((item === 1 || item === pageCount) && (page <= 3 || page >= pageCount - 2))

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
  const pageCount = countPages(total, pageSize)
  const items = getVisiblePages(page, pageCount)
  /** Whether a gap comes before this item in the small pager, because the items before it are hidden. */
  const hasGapBefore = (index: number) => {
    const isHidden = (item: PagerItem) => typeof item === 'number' && !isInSmallPager(item, page, pageCount)
    const lastShown = items.slice(0, index).findLast((item) => !isHidden(item))
    // no second gap beside one of `items`
    return typeof lastShown === 'number' && items[index - 1] !== lastShown
  }
  const openPage = (target: number) => onPage(Math.min(pageCount, Math.max(1, target)))
  return (
    <div className={css.pager}>
      <span
        className={css.total}
      >{`Total: ${total.toLocaleString('en-US')} ${total === 1 ? 'record' : 'records'}`}</span>
      <div className={css.end}>
        {onPageSize ? (
          <span className={css.size}>
            <PageSizeSelect pageSize={pageSize} onPageSize={onPageSize} nameHidden size="sm" />
          </span>
        ) : null}
        <nav aria-label="Pagination" className={css.pages}>
          <IconButton
            icon={ChevronLeft}
            label="Previous page"
            disabled={page <= 1}
            onClick={() => openPage(page - 1)}
          />
          {items.map((item, index) =>
            typeof item === 'number' ? (
              <button
                key={item}
                type="button"
                className={css.page}
                aria-label={`Page ${item}`}
                aria-current={item === page ? 'page' : undefined}
                data-in-small-pager={isInSmallPager(item, page, pageCount) || undefined}
                data-gap={hasGapBefore(index) || undefined}
                onClick={() => openPage(item)}
              >
                {item}
              </button>
            ) : (
              <button
                key={item}
                type="button"
                className={css.gap}
                aria-label={item === 'gap-before' ? `${gapStep} pages back` : `${gapStep} pages forward`}
                onClick={() => openPage(item === 'gap-before' ? page - gapStep : page + gapStep)}
              >
                …
              </button>
            ),
          )}
          <IconButton
            icon={ChevronRight}
            label="Next page"
            disabled={page >= pageCount}
            onClick={() => openPage(page + 1)}
          />
        </nav>
      </div>
    </div>
  )
}
