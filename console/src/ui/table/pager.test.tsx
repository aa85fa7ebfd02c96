import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Pager } from './pager'

afterEach(cleanup)

const PagerWithState = ({ total = 312, start = 1 }: { total?: number; start?: number }) => {
  const [page, setPage] = useState(start)
  const [size, setSize] = useState(25)
  return <Pager total={total} page={page} pageSize={size} onPage={setPage} onPageSize={setSize} />
}

const currentPage = () => screen.getByRole('button', { current: 'page' }).textContent

describe('Pager', () => {
  it('shows the number of records', () => {
    render(<PagerWithState total={148} />)
    screen.getByText('Total: 148 records')
    cleanup()
    render(<PagerWithState total={1} />)
    screen.getByText('Total: 1 record')
  })

  it('goes page by page, and stops at the ends', async () => {
    render(<PagerWithState />)
    expect(screen.getByRole('button', { name: 'Previous page' }).hasAttribute('disabled')).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(currentPage()).toBe('2')
    await userEvent.click(screen.getByRole('button', { name: 'Page 13' }))
    expect(currentPage()).toBe('13')
    expect(screen.getByRole('button', { name: 'Next page' }).hasAttribute('disabled')).toBe(true)
  })

  it('marks every gap between the pages that a narrow screen shows', () => {
    for (let pages = 1; pages <= 12; pages += 1)
      for (let page = 1; page <= pages; page += 1) {
        render(<PagerWithState total={pages * 25} start={page} />)
        const buttons = [...screen.getByRole('navigation', { name: 'Pagination' }).children].slice(1, -1)
        // pages without data-in-small-pager are hidden there, and data-gap draws a gap before a page
        const shownPages = buttons.flatMap((button) => {
          if (button.textContent === '…') return '…'
          if (!button.hasAttribute('data-in-small-pager')) return []
          return [...(button.hasAttribute('data-gap') ? ['…'] : []), Number(button.textContent)]
        })
        const row = [0, ...shownPages, pages + 1]
        const isUnmarked = row.some((item, index) => {
          const next = row[index + 1]
          return typeof item === 'number' && typeof next === 'number' && next !== item + 1
        })
        expect(isUnmarked, `page ${page} of ${pages}: ${shownPages.join(' ')}`).toBe(false)
        expect(row.some((item, index) => item === '…' && row[index + 1] === '…')).toBe(false)
        cleanup()
      }
  })

  it('jumps by three where pages are left out', async () => {
    render(<PagerWithState start={6} />)
    await userEvent.click(screen.getByRole('button', { name: '3 pages forward' }))
    expect(currentPage()).toBe('9')
    await userEvent.click(screen.getByRole('button', { name: '3 pages back' }))
    expect(currentPage()).toBe('6')
  })
})
