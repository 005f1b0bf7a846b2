import React, { useState, type ReactNode } from 'react';
import { Button } from './button';

interface Props<T> {
  items: T[];
  render: (item: T) => ReactNode;
}

/** Lists things. */
export function List<T>({ items, render }: Props<T>) {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);
  return (
    <section onClick={toggle}>
      {items.map((item) => <Row key={item.id} onSelect={select}>{render(item)}</Row>)}
      <Button.Icon name="x" />
    </section>
  );
}

const select = (id: string) => fetchItem(id);

export const Row: React.FC<Props<string>> = ({ items }) => {
  return <li>{items}</li>;
};

export const Memo = React.memo(function Memo(props: Props<number>) {
  return <List {...props} render={String} />;
});

export default class Page extends React.Component<Props<string>> {
  state = { ready: false };

  componentDidMount(): void {
    this.setState({ ready: true });
  }

  render() {
    return <List items={this.props.items} render={select} />;
  }
}
