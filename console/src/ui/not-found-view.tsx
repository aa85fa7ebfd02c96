import { SearchX } from 'lucide-react'
import { ButtonLink } from './button'
import { Page } from './page'
import { EmptyState } from './empty-state'

export interface NotFoundViewProps {
  /** The page's h1. */
  title: string
  /** The sentence that says what is not there. */
  message: string
  text?: string
  href: string
  link: string
}

/** A page or record that is not there, and the way back. */
export const NotFoundView = ({ title, message, text, href, link }: NotFoundViewProps) => (
  <Page title={title}>
    <EmptyState icon={SearchX} title={message} text={text}>
      <ButtonLink href={href}>{link}</ButtonLink>
    </EmptyState>
  </Page>
)
