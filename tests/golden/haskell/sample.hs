{-# LANGUAGE TypeFamilies #-}
-- | Keeps things on a disk.
module Shop.Disk
  ( Disk (..)
  , Saver (load)
  , save
  , (<+>)
  , module Shop.Text
  ) where

import Control.Monad (forM_, when)
import Data.List (sortOn, (\\), Foldable (..))
import qualified Data.Map.Strict as Map
import Data.Maybe hiding (fromJust)
import Shop.Mail
import Shop.Text qualified as Text

-- | A disk.
data Disk a
  = Disk
      { name :: String
      -- ^ What it is called.
      , size, used :: Int
      , entries :: Map.Map String [a]
      }
  | Empty a Int
  deriving (Eq, Show)

newtype Wrapped = Wrapped {unwrapped :: Int}
  deriving stock (Show)
  deriving newtype (Num)

type Names = Map.Map String Int

data Shape where
  Circle :: Double -> Shape
  Square :: {side :: Double} -> Shape

-- | What can be saved.
class (Eq a, Show a) => Saver a where
  type Key a
  -- | Loads it.
  load :: a -> IO ()
  load item = report item
  keyOf :: a -> Key a
  {-# MINIMAL keyOf #-}

instance Show a => Saver (Disk a) where
  type Key (Disk a) = String
  load (Disk title _ _ _) = send title
  load disk = report disk
  keyOf = name

instance Semigroup Wrapped where
  Wrapped left <> Wrapped right = Wrapped (left + right)

type family Element c where
  Element [e] = e

-- | Saves everything.
save :: Show a => Disk a -> Int -> IO String
save (Empty _ _) 1 = pure "nothing"
save disk count
  | count > limit = go disk
  | otherwise = do
      Map.insert key count <$> work count
      pure key
  where
    key = Text.trim (name disk)
    go :: Disk a -> IO String
    go found = do
      stored <- retrieve found
      let shown = display stored
      when (null shown) $ report found
      pure shown

limit :: Int
limit = 3

untyped = limit + 1

infixr 5 <+>
(<+>) :: [a] -> [a] -> [a]
left <+> right = left ++ right

grow :: Disk a -> Disk a
grow disk = disk {size = size disk * 2, used = clamp 0 limit (used disk)}

pick :: Shape -> Double
pick = \case
  Circle radius -> area radius
  Square {side = s} -> s * s

pattern Pair :: a -> b -> (a, b)
pattern Pair first second = (first, second)

foreign import ccall "math.h sin" c_sin :: Double -> Double

deriving instance Ord Wrapped

main :: IO ()
main = do
  home <- lookupEnv "HOME"
  let disk = Empty () 1
      twice = fmap (* 2) . filter even
  mapM_ print (sortOn size [disk])
  forM_ (entries disk) $ \entry -> load entry
  case home of
    Just path -> Text.putLine path
    Nothing -> throwIO (userError "no home")

prop_grows :: Int -> Bool
prop_grows n = size (grow (sized n)) >= n

spec :: Spec
spec = describe "save" $ do
  it "saves" $ save disk 1 `shouldReturn` "nothing"
