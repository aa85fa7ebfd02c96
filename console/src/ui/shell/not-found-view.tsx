import { SearchX } from 'lucide-react'
import { ButtonLink } from '../button'
import { Page } from './page'
import { EmptyState } from '../feedback/empty-state'

export interface NotFoundViewProps {
  /** The h1 of the page. */
  title: string
  /** Message that names the missing page or record. */
  message: string
  href: string
  linkLabel: string
}

/** A missing page or record, with a link back. */
export const NotFoundView = ({ title, message, href, linkLabel }: NotFoundViewProps) => (
  <Page title={title}>
    <EmptyState icon={SearchX} title={message}>
      <ButtonLink href={href}>{linkLabel}</ButtonLink>
    </EmptyState>
  </Page>
)
